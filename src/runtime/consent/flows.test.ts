/**
 * How many questions a person is asked in the ten commonest flows; docs/consent.md has the table. A question that nobody needs is
 * how people learn to say yes to everything.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../../test/support/project-files.ts';
import { countingStdio, trestleHome } from '../../../test/support/trestle-home.ts';
import type { Question, Runtime } from '../index.ts';

const server = 'counting';
const project = 'shared';
const hello = { tool: 'echo', arguments: { message: 'hello' } };

interface Flow {
  readonly does: string;
  /** Questions with the settings as they are, and with `requireConsent`. */
  readonly asked: readonly [usual: number, careful: number];
  readonly tools?: object;
  /** Whether a project's file asks for a server of its own. */
  readonly inProject?: boolean;
  readonly run: (runtime: Runtime) => Promise<unknown>;
}

const flows: readonly Flow[] = [
  { does: 'add a server and read its tools', asked: [0, 0], run: (runtime) => runtime.sync({ server }) },
  { does: 'call a tool', asked: [0, 1], run: (runtime) => runtime.call({ server, ...hello }) },
  {
    does: 'call ten tools of one server',
    asked: [0, 1],
    async run(runtime) {
      for (let time = 0; time < 10; time += 1) await runtime.call({ server, ...hello });
    },
  },
  {
    does: 'search, then call what was found',
    asked: [0, 1],
    async run(runtime) {
      await runtime.sync({ server });
      const { hits } = await runtime.search({ query: 'echo' });
      await runtime.call({ server, ...hello, tool: hits[0]?.tool ?? '' });
    },
  },
  {
    does: 'list resources and read one',
    asked: [0, 1],
    async run(runtime) {
      await runtime.listResources({ server });
      await runtime.read({ server, uri: 'count://text' });
    },
  },
  {
    does: 'look at everything: status, doctor, text for a model',
    asked: [0, 0],
    async run(runtime) {
      await runtime.status();
      await runtime.doctor();
      await runtime.context();
    },
  },
  {
    does: 'call a tool, sync its server again, and call it once more',
    asked: [0, 1],
    async run(runtime) {
      await runtime.call({ server, ...hello });
      await runtime.sync({ server });
      await runtime.call({ server, ...hello });
    },
  },
  {
    does: 'call a tool that asks for itself, twice',
    asked: [1, 1],
    tools: { ask: ['echo'] },
    async run(runtime) {
      await runtime.call({ server, ...hello });
      await runtime.call({ server, ...hello });
    },
  },
  {
    does: 'work in a project that asks for a server, without using that',
    asked: [0, 1],
    inProject: true,
    run: (runtime) => runtime.call({ server, ...hello }),
  },
  {
    does: 'call a tool of a server that the project asks for, twice',
    asked: [1, 1],
    inProject: true,
    async run(runtime) {
      await runtime.call({ server: project, ...hello });
      await runtime.call({ server: project, ...hello });
    },
  },
];

async function questionsOf({ tools, inProject, run }: Flow, requireConsent: boolean): Promise<number> {
  const questions: Question[] = [];
  const ask = (question: Question) => {
    questions.push(question);
    return Promise.resolve('session' as const);
  };
  const counting = countingStdio();
  const home = trestleHome({ [server]: { ...counting.entry, tools } }, { ports: { ask } });
  if (requireConsent) home.settings({ requireConsent });
  if (inProject === true) {
    mkdirSync(join(home.folder, 'work/.git'));
    const entries = { mcpServers: { [project]: counting.entry } };
    writeFileSync(join(home.folder, 'work/.mcp.json'), JSON.stringify(entries));
  }
  await run(home.runtime);
  return questions.length;
}

const row = ({ does, asked }: Flow): string => `| ${does} | ${asked.join(' | ')} |`;

describe('the questions of the commonest flows', () => {
  it.each(flows.map((flow) => [flow.does, flow] as const))('K1: %s', async (_does, flow) => {
    expect([await questionsOf(flow, false), await questionsOf(flow, true)]).toEqual(flow.asked);
  });

  it('K1: are those that the document tells of', () => {
    const told = readFileSync(join(projectRoot, 'docs/consent.md'), 'utf8');
    for (const flow of flows) expect(told).toContain(row(flow));
  });
});
