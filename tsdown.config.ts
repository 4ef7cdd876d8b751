import { defineConfig } from 'tsdown';
import manifest from './package.json' with { type: 'json' };
import { compileAhead } from './scripts/compile-ahead.ts';
import { inlineNamespaceHelper } from './scripts/inline-namespace-helper.ts';
import { thirdPartyNotices } from './scripts/third-party-notices.ts';

/**
 * Two entries, everything bundled: the published package brings no other packages, and what a command does not need is in
 * chunks that it does not load (start-up time is a feature).
 */
export default defineConfig({
  entry: { cli: 'src/program/entry.ts', index: 'src/index.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  fixedExtension: false,
  sourcemap: false,
  suppressWarnings: /generator on TypeScript 7\.0 is deprecated/,
  // Foreign types stay imports, so that one in our public types is seen (a test looks for it) and never copied.
  dts: { entry: 'src/index.ts' },
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
});
