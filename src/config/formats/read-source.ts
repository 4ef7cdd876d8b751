/** What one file of another tool asks for: every usable server, and why the others are none. */
import { asTrestleError, isObject, type JsonObject, type TrestleError } from '../../base/index.ts';
import { type Conversion, convertEntry } from './convert.ts';
import type { Block, Format, FormatId } from './format.ts';
import { type InputQuestion, readInputs } from './inputs.ts';
import { type ForeignDocument, readDocument, UnreadableDocument } from './read-document.ts';

/** A file that may hold servers. */
export interface SourceFile {
  readonly format: Format;
  /** Absolute. */
  readonly file: string;
  /** Where the file must lie in the end. */
  readonly root: string;
  /** The project that the file belongs to; undefined for a file of the user. */
  readonly folder: string | undefined;
}

/** A server as another tool has it, in Trestle's words. */
export interface FoundServer extends Conversion {
  readonly format: FormatId;
  readonly file: string;
  /** Where it stands in the file: `mcpServers.github`. */
  readonly at: string;
  /** The project that it belongs to; undefined: the user. */
  readonly folder: string | undefined;
  /** What a person has to be asked for before it works. */
  readonly inputs: readonly InputQuestion[];
}

/** A file, an entry or a member that cannot be used. */
export interface SourceProblem {
  readonly format: FormatId;
  readonly file: string;
  readonly server?: string;
  readonly field?: string;
  /** One clause. */
  readonly reason: string;
}

export interface SourceReading {
  readonly format: FormatId;
  readonly file: string;
  readonly servers: readonly FoundServer[];
  readonly problems: readonly SourceProblem[];
  /** Other projects for which the file has servers. */
  readonly elsewhere: readonly string[];
}

/** Whose servers are wanted, of files that have them for several projects. */
export interface Wanted {
  readonly platform: string;
  readonly isProject: (folder: string) => boolean;
}

/** Reads a file; undefined when there is none. Never throws for what stands in it. */
export async function readSource(source: SourceFile, wanted: Wanted): Promise<SourceReading | undefined> {
  const { format, file } = source;
  try {
    const document = await readDocument({ file, root: source.root, language: format.language });
    return document === undefined ? undefined : readBlocks(source, document, wanted);
  } catch (thrown) {
    if (!(thrown instanceof UnreadableDocument)) throw thrown;
    const problems = [{ format: format.id, file, reason: thrown.message }];
    return { format: format.id, file, servers: [], problems, elsewhere: [] };
  }
}

function readBlocks(source: SourceFile, document: ForeignDocument, wanted: Wanted): SourceReading {
  const { format, file } = source;
  const blocks = format.blocks(document.value);
  const isWanted = ({ folder }: Block): boolean => folder === undefined || wanted.isProject(folder);
  const read = blocks
    .filter(isWanted)
    .map((block) => readBlock(source, { block, document, platform: wanted.platform }));
  return {
    format: format.id,
    file,
    servers: read.flatMap(({ servers }) => servers),
    problems: read.flatMap(({ problems }) => problems),
    elsewhere: blocks
      .filter((block) => !isWanted(block))
      .flatMap(({ folder }) => (folder === undefined ? [] : [folder])),
  };
}

interface BlockFacts {
  readonly block: Block;
  readonly document: ForeignDocument;
  readonly platform: string;
}

function readBlock(source: SourceFile, facts: BlockFacts): Pick<SourceReading, 'servers' | 'problems'> {
  const { format, file } = source;
  const { block, document } = facts;
  if (block.entries === undefined || block.entries === null) return { servers: [], problems: [] };
  if (!isObject(block.entries)) {
    const reason = 'must hold servers by name, and does not';
    return { servers: [], problems: [{ format: format.id, file, field: block.at.join('.'), reason }] };
  }
  const folder = block.folder ?? source.folder;
  const questions = readInputs(block.inputs, { format: format.id, folder });
  const servers: FoundServer[] = [];
  const problems: SourceProblem[] = [];
  for (const [name, value] of Object.entries(block.entries)) {
    const twice = document.duplicates.find(({ path }) => isPath(path, [...block.at, name]));
    const asked = new Map<string, InputQuestion>();
    try {
      if (twice !== undefined) {
        problems.push({
          format: format.id,
          file,
          server: name,
          field: 'its name',
          reason: `stands twice, the second time in line ${twice.position.line}`,
        });
        continue;
      }
      const conversion = convertEntry(block.written ?? format, {
        name,
        value,
        file,
        scope: folder === undefined ? 'user' : 'project',
        disabled: block.disabled?.(name) ?? false,
        place: { platform: facts.platform, folder, inputSecret: (id) => ask(questions.get(id), asked) },
      });
      const at = [...block.at, name].join('.');
      servers.push({ ...conversion, format: format.id, file, at, folder, inputs: [...asked.values()] });
    } catch (thrown) {
      problems.push(problemOf(asTrestleError(thrown), { format: format.id, file, server: name }));
    }
  }
  return { servers, problems };
}

function isPath(path: readonly string[], wanted: readonly string[]): boolean {
  return path.length === wanted.length && path.every((name, index) => name === wanted[index]);
}

function ask(question: InputQuestion | undefined, asked: Map<string, InputQuestion>): string | undefined {
  if (question !== undefined) asked.set(question.secret, question);
  return question?.secret;
}

function problemOf(
  error: TrestleError,
  place: { readonly format: FormatId; readonly file: string; readonly server: string },
): SourceProblem {
  if (error.code === 'internal') throw error;
  const details: JsonObject | undefined = isObject(error.details) ? error.details : undefined;
  const field = typeof details?.['field'] === 'string' ? details['field'] : undefined;
  return { ...place, ...(field === undefined ? {} : { field }), reason: reasonOf(error, field) };
}

/** What follows subject and member in the message: both are told beside it. */
function reasonOf({ message }: TrestleError, field: string | undefined): string {
  const sentence = message.replace(/\.$/, '');
  const from = field === undefined ? -1 : sentence.indexOf(`: ${field} `);
  return from < 0 ? sentence : sentence.slice(from + (field ?? '').length + 3);
}
