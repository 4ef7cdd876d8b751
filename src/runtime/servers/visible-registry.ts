/** The registry without the tools that an entry's rules deny (K3): what everybody reads but whoever writes or checks it. */
import { judgeTool, type ToolRules } from '../../policy/index.ts';
import type { IndexedServer, Registry } from '../../registry/index.ts';

/** `rulesOf`: the rules of the entry whose descriptors stand under this name; the same object while they are the same. */
export function visibleRegistry(registry: Registry, rulesOf: (server: string) => ToolRules | undefined): Registry {
  const kept = new WeakMap<IndexedServer, { readonly rules: ToolRules; readonly shown: IndexedServer }>();
  const isHidden = (server: string, tool: string): boolean => judgeTool(rulesOf(server), tool).kind === 'denied';
  const shownServer = (server: IndexedServer): IndexedServer => {
    const rules = rulesOf(server.name);
    if (rules === undefined) return server;
    const known = kept.get(server);
    if (known?.rules === rules) return known.shown;
    const tools = server.tools.filter(({ name }) => judgeTool(rules, name).kind !== 'denied');
    const hiddenTools = server.toolCount - tools.length;
    const shown = { ...server, tools, toolCount: tools.length, ...(hiddenTools === 0 ? {} : { hiddenTools }) };
    kept.set(server, { rules, shown });
    return shown;
  };
  return {
    ...registry,
    servers() {
      const { value, findings } = registry.servers();
      return { value: value.map(shownServer), findings };
    },
    server(name) {
      const { value, findings } = registry.server(name);
      return { value: value === undefined ? undefined : shownServer(value), findings };
    },
    tool(server, nameOrKey) {
      const read = registry.tool(server, nameOrKey);
      return read.value === undefined || !isHidden(server, read.value.name) ? read : { value: undefined, findings: [] };
    },
    tools(server) {
      const { value, findings } = registry.tools(server);
      return { value: value.filter(({ name }) => !isHidden(server, name)), findings };
    },
    search(request) {
      const searched = request.servers ?? registry.servers().value.map(({ name }) => name);
      const areRuled = searched.some((server) => rulesOf(server) !== undefined);
      return registry.search(areRuled ? { ...request, isHidden } : request);
    },
  };
}
