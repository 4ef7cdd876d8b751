import { basename, dirname, join } from 'node:path';
import { type FormatId, formats, readSource, type SourceReading } from '../../src/config/index.ts';

export const filesFolder = join(import.meta.dirname, 'files');

/** The project that files called so belong to. */
const projectFiles: ReadonlySet<string> = new Set([
  'project.mcp.json',
  'marks.mcp.json',
  'workspace.json',
  'project.json',
]);

/** Reads a file of this folder as the tool's own, on a machine whose user is in `/home/me/here`. */
export async function readFormatFile(path: string): Promise<SourceReading> {
  const format = formats[basename(dirname(path)) as FormatId];
  const folder = projectFiles.has(basename(path)) ? '/home/me/here' : undefined;
  const reading = await readSource(
    { format, file: path, root: filesFolder, folder },
    { platform: 'linux', isProject: (project) => project === '/home/me/here' },
  );
  if (reading === undefined) throw new Error(`${path} is not there`);
  return reading;
}

/** What was read of a file, as it stands in `expected.json`: entries, with what is said of them in members that no entry has. */
export function summary(reading: SourceReading): unknown {
  const { servers, problems, elsewhere } = reading;
  return {
    servers: Object.fromEntries(
      servers.map(({ name, entry, folder, remarks, inputs }) => [
        name,
        {
          ...entry,
          ...(folder === undefined ? {} : { '(project)': folder }),
          ...(remarks.length === 0 ? {} : { '(remarks)': remarks.map(({ field, why }) => `${field}: ${why}`) }),
          ...(inputs.length === 0 ? {} : { '(asks for)': inputs.map(({ secret }) => secret) }),
        },
      ]),
    ),
    problems: problems.map(({ server, field, reason }) =>
      [server, field, reason].filter((part) => part !== undefined).join(' | '),
    ),
    ...(elsewhere.length === 0 ? {} : { elsewhere }),
  };
}
