/** The server that the environment names for somebody who has configured none (H10): MCP_SERVER_URL, and its token MCP_API_KEY. */
import { limits, serverNameProblem, TrestleError } from '../base/index.ts';
import type { Definition, DefinitionSource } from './definition.ts';
import { readEntry } from './entries.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const urlVariable = 'MCP_SERVER_URL';
const keyVariable = 'MCP_API_KEY';

/** The variables that {@link environmentServer} looks at. */
export const serverVariables = [urlVariable, keyVariable] as const;

/** Whether an environment asks for a server at all; it is one only where no file configures any. */
export function namesServer(env: Environment): boolean {
  return addressIn(env) !== '';
}

const addressIn = (env: Environment): string => env[urlVariable]?.trim() ?? '';

/** Where a definition stands: its file, or the variable that names its server; undefined for one that stands nowhere. */
export function definedIn({ file, shape }: DefinitionSource): string | undefined {
  return shape === 'environment' ? urlVariable : file;
}

/** Either the definition, or what is wrong with the variable. */
export type EnvironmentServer =
  | { readonly definition: Definition }
  | { readonly name: string; readonly problem: TrestleError };

/**
 * The server that MCP_SERVER_URL names, found in any of the ways of HTTP; undefined when the variable is not set. It is called by its
 * host, such as `localhost-3000`. The token stands in it as a reference, so that it is a secret like others and is stored nowhere;
 * requests never leave the URL's origin, so it goes nowhere else.
 */
export function environmentServer(env: Environment): EnvironmentServer | undefined {
  const text = addressIn(env);
  if (text === '') return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return broken('is no URL that begins with http:// or https://');
  if (url.username !== '' || url.password !== '') return broken('holds a user name or password, which would be shown');
  const hasKey = (env[keyVariable] ?? '').trim() !== '';
  const definition = readEntry(
    { name: nameOf(url), source: { file: undefined, shape: 'environment', scope: 'user' } },
    {
      // What looks like a reference in it is none.
      url: text.replaceAll('${', () => '$${'),
      ...(hasKey ? { headers: { Authorization: `Bearer \${${keyVariable}}` } } : {}),
    },
  );
  return { definition };
}

function nameOf({ host }: URL): string {
  const name = host
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, limits.serverNameCharacters)
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return serverNameProblem(name) === undefined ? name : `server-${name}`.slice(0, limits.serverNameCharacters);
}

/** The value is not repeated: it may hold a secret. */
function broken(problem: string): EnvironmentServer {
  return {
    name: urlVariable,
    problem: new TrestleError({
      code: 'config_entry_invalid',
      message: `The environment variable ${urlVariable} ${problem}.`,
      hint: `Set it to the URL of an MCP server, such as http://localhost:3000/sse, and a token to ${keyVariable}.`,
      details: { variable: urlVariable },
    }),
  };
}
