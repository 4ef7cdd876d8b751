/** A build plugin: what is bundled from other packages keeps its licence, in one file beside the bundle. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Bundle {
  readonly [file: string]: { readonly type: string; readonly moduleIds?: readonly string[] };
}

interface EmitContext {
  emitFile(file: { readonly type: 'asset'; readonly fileName: string; readonly source: string }): unknown;
}

/** Writes `fileName` with name, version and licence text of every package that has a module in the bundle. */
export function thirdPartyNotices(fileName: string) {
  return {
    name: 'third-party-notices',
    generateBundle(this: EmitContext, _options: unknown, bundle: Bundle): void {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.moduleIds ?? []) {
          const folder = packageFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
      }
      const notices = [...folders].sort().map(noticeOf);
      if (notices.length > 0)
        this.emitFile({ type: 'asset', fileName, source: notices.join(`\n${'-'.repeat(80)}\n\n`) });
    },
  };
}

function packageFolder(moduleId: string): string | undefined {
  if (!moduleId.includes('node_modules')) return undefined;
  let folder = dirname(moduleId.replace(/^\0/, ''));
  while (!hasName(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return folder;
}

// Packages put nameless package.json files into sub-folders to set the module type.
function hasName(manifestPath: string): boolean {
  return existsSync(manifestPath) && typeof manifestOf(manifestPath).name === 'string';
}

function noticeOf(folder: string): string {
  const manifest = manifestOf(join(folder, 'package.json'));
  const licence = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  const text =
    licence === undefined ? `Licence: ${String(manifest.license)}\n` : readFileSync(join(folder, licence), 'utf8');
  return `${String(manifest.name)} ${String(manifest.version)}\n\n${text}`;
}

function manifestOf(
  path: string,
): Readonly<Record<string, unknown>> & { name?: unknown; version?: unknown; license?: unknown } {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
}
