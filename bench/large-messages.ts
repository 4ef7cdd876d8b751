/** Time and memory of one large message, through our link over standard streams and through the SDK's. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mebibytes, median, ms, rounds, type Row } from './table.ts';

interface Figures {
  readonly ms: number;
  readonly bytes: number;
}

interface Subject {
  readonly reader: 'trestle' | 'sdk';
  readonly mebibytes: number;
  readonly kind: 'ascii' | 'emoji';
}

const subjects: readonly Subject[] = [
  ...([1, 4, 16] as const).flatMap((size) => [
    { reader: 'trestle', mebibytes: size, kind: 'ascii' } as const,
    { reader: 'trestle', mebibytes: size, kind: 'emoji' } as const,
  ]),
  // Beyond 10 MiB the SDK's transport gives up.
  { reader: 'sdk', mebibytes: 9, kind: 'ascii' },
  { reader: 'sdk', mebibytes: 9, kind: 'emoji' },
];

/** At most so many times its size in memory; a text with an emoji takes two bytes a character. */
const memoryBars = { ascii: 6, emoji: 8 } as const;

const run = promisify(execFile);

async function read({ reader, mebibytes: size, kind }: Subject): Promise<Figures> {
  const args = [join(import.meta.dirname, 'large-message-reader.ts'), reader, String(size * 2 ** 20), kind];
  const { stdout } = await run(process.execPath, args);
  return JSON.parse(stdout) as Figures;
}

export async function measureLargeMessages(): Promise<readonly Row[]> {
  const figures = new Map<Subject, Figures[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of subjects) figures.get(subject)?.push(await read(subject));
  }
  const of = (subject: Subject, member: keyof Figures): number =>
    median((figures.get(subject) ?? []).map((figure) => figure[member]));
  return subjects
    .filter((subject) => subject.reader === 'trestle')
    .flatMap((subject) => {
      const { kind, mebibytes: size } = subject;
      const sdk = subjects.find((other) => other.reader === 'sdk' && other.kind === kind) ?? subject;
      const what = `one message of ${size} MiB, ${kind === 'ascii' ? 'ASCII' : 'one emoji'}`;
      const [tookMs, sdkMs, bytes] = [of(subject, 'ms'), of(sdk, 'ms'), of(subject, 'bytes')];
      return [
        {
          what: `${what}: time`,
          value: ms(tookMs),
          against: `SDK, 9 MiB ${ms(sdkMs)}`,
          ratio: tookMs / sdkMs,
          bar: size === 16 ? 0.2 : undefined,
        },
        {
          what: `${what}: memory`,
          value: mebibytes(bytes),
          against: `its size (SDK, 9 MiB: ${mebibytes(of(sdk, 'bytes'))})`,
          ratio: bytes / (size * 2 ** 20),
          bar: memoryBars[kind],
        },
      ];
    });
}
