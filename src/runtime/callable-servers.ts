import type { ConfigView } from '../config/index.ts';

/** Servers whose tools can be called; what a disabled, refused or merely registered one has would be shown in vain. Sorted. */
export function callableServers({ servers }: ConfigView): readonly string[] {
  return [...servers.values()]
    .filter(({ enabled, refused }) => enabled && refused === undefined)
    .map(({ name }) => name)
    .sort();
}
