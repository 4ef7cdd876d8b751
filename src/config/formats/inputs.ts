/** What an editor's file has a person asked for: answered once, and kept as a secret. */
import { isObject, type JsonValue, nameDigest, secretNameProblem } from '../../base/index.ts';

/** One value to be asked for. */
export interface InputQuestion {
  /** The name of the secret that keeps the answer. */
  readonly secret: string;
  /** As the file calls it. */
  readonly id: string;
  /** As the file describes it; it may say anything. */
  readonly description: string;
  /** Whether what is typed is hidden. */
  readonly hidden: boolean;
  readonly fallback: string | undefined;
  /** What can be chosen from; undefined: any text. */
  readonly options: readonly string[] | undefined;
}

/** The inputs of a document by id; those that a program answers have none. */
export function readInputs(
  value: JsonValue | undefined,
  facts: { readonly format: string; readonly folder: string | undefined },
): ReadonlyMap<string, InputQuestion> {
  const questions = new Map<string, InputQuestion>();
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [];
  for (const item of items) {
    if (!isObject(item)) continue;
    const { id, type, description } = item;
    if (typeof id !== 'string' || (type !== 'promptString' && type !== 'pickString')) continue;
    const secret = secretName(id, facts);
    if (secret === undefined) continue;
    questions.set(id, {
      secret,
      id,
      description: typeof description === 'string' ? description : id,
      hidden: item['password'] === true,
      fallback: typeof item['default'] === 'string' ? item['default'] : undefined,
      options: type === 'pickString' ? optionsOf(item['options']) : undefined,
    });
  }
  return questions;
}

/** Options are texts, or objects with a label and a value. */
function optionsOf(value: JsonValue | undefined): readonly string[] {
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [];
  return items.flatMap((item) => {
    const option = isObject(item) ? (item['value'] ?? item['label']) : item;
    return typeof option === 'string' ? [option] : [];
  });
}

/** Two projects may ask for the same id and mean different values. */
function secretName(
  id: string,
  { format, folder }: { readonly format: string; readonly folder: string | undefined },
): string | undefined {
  const cleaned = id.replaceAll(/[^\w.-]+/g, '-');
  const name = `${format}-${cleaned}${folder === undefined ? '' : `-${nameDigest(folder).slice(0, 8)}`}`;
  return secretNameProblem(name) === undefined ? name : undefined;
}
