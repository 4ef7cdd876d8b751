import { defineConfig, type UserConfig } from 'tsdown';
import manifest from './package.json' with { type: 'json' };
import { compileAhead } from './scripts/compile-ahead.ts';
import { inlineNamespaceHelper } from './scripts/inline-namespace-helper.ts';
import { thirdPartyNotices } from './scripts/third-party-notices.ts';

/** Everything is bundled: the published package brings no other packages. */
const common = {
  format: 'esm',
  platform: 'node',
  fixedExtension: false,
  sourcemap: false,
  suppressWarnings: /generator on TypeScript 7\.0 is deprecated/,
  deps: { alwaysBundle: () => true, onlyBundle: false, dts: { alwaysBundle: [], neverBundle: [/^[^./]/] } },
  // Its CommonJS form loads its parts in a way that no bundler follows.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  // Our modules only define things, so a file brings with it what it uses, not all that its rooms' doors name.
  treeshake: {
    moduleSideEffects: [
      { external: true, sideEffects: false },
      { test: /[\\/]src[\\/]/, sideEffects: false },
    ],
  },
  define: { TRESTLE_VERSION: JSON.stringify(manifest.version) },
  minify: true,
  // The types and the training run take most of the time of a build, which is no news.
  checks: { pluginTimings: false },
} satisfies UserConfig;

export default defineConfig([
  {
    ...common,
    // What a command or a host does not need is in chunks that it does not load: start-up time is a feature.
    entry: { cli: 'src/program/entry.ts', index: 'src/index.ts', 'pi-host': 'src/hosts/pi/host.ts' },
    target: 'node22.19',
    // Foreign types stay imports, so that one in our public types is seen (a test looks for it) and never copied.
    dts: { entry: 'src/index.ts' },
    outputOptions: {
      chunkFileNames: 'chunks/[name]-[hash].js',
      // What every command needs is one file, and what a call through the daemon needs besides another: at start-up a file costs
      // more than its size.
      codeSplitting: {
        groups: [
          { name: 'start', test: /[\\/]src[\\/]program[\\/]main\.ts$/, priority: 2 },
          { name: 'call', test: /[\\/]src[\\/]cli[\\/](open-runtime|commands[\\/]call)\.ts$/, priority: 1 },
        ],
      },
    },
    plugins: [
      thirdPartyNotices('THIRD-PARTY-LICENSES.txt'),
      inlineNamespaceHelper(['start', 'call']),
      compileAhead(['start', 'call']),
    ],
  },
  {
    ...common,
    // One file without imports: whoever loads it may translate each file that it names. Old releases of Node.js can parse it.
    entry: { pi: 'src/hosts/pi/extension.ts' },
    target: 'node20',
    dts: { entry: 'src/hosts/pi/extension.ts' },
    // The folder is the other build's to empty.
    clean: false,
  },
]);
