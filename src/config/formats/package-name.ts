/** Names for servers that are given by a package, an image or an address. */
import { limits, serverNameProblem } from '../../base/index.ts';

/** What a package of npm or PyPI is called here: `@scope/server-github` is `github`, `mcp-server-time` is `time`. Undefined: nothing of use is left. */
export function nameOfPackage(spec: string): string | undefined {
  const [, scope = '', name = ''] = /^(?:@([^/]+)\/)?([^@[=<>~!]+)/.exec(spec) ?? [];
  const short = name.replaceAll(/(^|[-_.])(?:mcp|server)(?=[-_.]|$)/g, '').replaceAll(/^[-_.]+|[-_.]+$/g, '');
  return usable(short === '' ? scope : short);
}

/** What an address is called here: `https://mcp.sentry.dev/mcp` is `sentry`. */
export function nameOfAddress(address: string): string | undefined {
  const host = URL.parse(address)?.host;
  if (host === undefined) return undefined;
  if (/^[\d.:[\]]+$|^localhost/.test(host)) return usable(host.replaceAll(/[^\w.]+/g, '-').replaceAll(/^-+|-+$/g, ''));
  const labels = host.replace(/:\d+$/, '').split('.');
  const telling = labels.slice(0, -1).filter((label) => !/^(?:mcp|api|www|server|remote)$/.test(label));
  return usable(telling.at(-1) ?? labels[0] ?? '');
}

/** Flags behind which a value stands, of programs that run packages and images. */
const valueFlags: Readonly<Record<'npx' | 'uvx' | 'docker', ReadonlySet<string>>> = {
  npx: new Set(['-p', '--package', '--registry', '-c', '--call']),
  uvx: new Set(['--from', '--with', '--with-editable', '-p', '--python', '--index', '--index-url', '--directory']),
  docker: new Set(
    '-e --env --env-file -v --volume --mount -p --publish --name --network --net -w --workdir -u --user --platform --pull --entrypoint --add-host --gpus -l --label -h --hostname --cpus -m --memory'.split(
      ' ',
    ),
  ),
};

/** What the server is called that a command runs: by its package or its image. Undefined: the command says nothing of it. */
export function nameOfCommand(command: string, args: readonly string[]): string | undefined {
  const program = command.replace(/^.*[/\\]/, '').replace(/\.(?:cmd|exe)$/i, '');
  const [first, ...rest] = args;
  if (/^cmd$/i.test(program) && /^\/c$/i.test(first ?? '')) return nameOfCommand(rest[0] ?? '', rest.slice(1));
  if (/^(?:npx|bunx|pnpx)$/.test(program)) return nameOfSpec(args, 'npx');
  if (/^(?:pnpm|yarn|bun)$/.test(program) && /^(?:dlx|x)$/.test(first ?? '')) return nameOfSpec(rest, 'npx');
  if (program === 'uvx') return nameOfSpec(args, 'uvx');
  if (program === 'pipx' && first === 'run') return nameOfSpec(rest, 'uvx');
  if (program === 'uv' && first === 'tool' && rest[0] === 'run') return nameOfSpec(rest.slice(1), 'uvx');
  if (!/^(?:docker|podman)$/.test(program) || first !== 'run') return undefined;
  const image = firstPlain(rest, valueFlags.docker);
  return image === undefined ? undefined : nameOfPackage(image.replace(/^.*\//, '').replace(/[:@].*$/, ''));
}

function nameOfSpec(args: readonly string[], runner: 'npx' | 'uvx'): string | undefined {
  const spec = firstPlain(args, valueFlags[runner]);
  return spec === undefined ? undefined : nameOfPackage(spec);
}

/** The first word that is neither a flag nor the value of one. */
function firstPlain(words: readonly string[], withValue: ReadonlySet<string>): string | undefined {
  return words.find((word, at) => !word.startsWith('-') && !withValue.has(words[at - 1] ?? ''));
}

function usable(name: string): string | undefined {
  const cut = name.slice(0, limits.serverNameCharacters);
  return serverNameProblem(cut) === undefined ? cut : undefined;
}
