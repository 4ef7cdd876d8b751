/** `context`: the text about servers and tools that a model sees, and what stands behind it. */
import { limits, stringifyJson } from '../../base/index.ts';
import type { ContextReport } from '../../runtime/index.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { usage } from '../flags.ts';
import { renderReport } from '../render/json.ts';
import { receiptLines } from '../render/receipt.ts';
import { refuseFurther } from '../target.ts';

export const context = defineCommand({
  name: 'context',
  summary: 'Prints what a model is told about servers and tools, within a budget of tokens. Starts no server.',
  usage: ['context', 'context --explain', 'context --budget 2000', 'context --no-files'],
  flags: {
    budget: {
      kind: 'text',
      value: 'TOKENS',
      doc: `Budget in o200k tokens. Default: contextBudgetTokens of the settings, else ${limits.contextBudgetTokens}.`,
    },
    'no-files': {
      kind: 'switch',
      doc: 'For a model that cannot read files: no paths, but how to read descriptors through the tools.',
    },
    explain: {
      kind: 'switch',
      doc: 'Print how each server is shown, what was left out, and why, instead of the text.',
    },
  },
  json: 'Print { text, hash, tokens, inlinedTokens, servers, tools, receipt, problems }.',
  details: [
    'Servers are shown with full schemas, with 80 or 40 characters of description a tool, with names, or with counts: the\nserver whose next step saves most goes down first, until all fits.',
  ],
  examples: ['context', 'context --explain', 'context --budget 1000 --json'],
  async run(command, { words, flags }) {
    refuseFurther(words, 'context');
    const { output } = command;
    const runtime = command.runtime();
    const report = await runtime.context({
      budgetTokens: budgetOf(flags.budget),
      readsFiles: !flags['no-files'],
    });
    if (output.json) {
      await output.write(renderReport({ ...report, inlinedTokens: await runtime.inlinedTokens() }, output));
      return exitCodes.ok;
    }
    if (flags.explain) await output.lines(receiptLines(report, await runtime.inlinedTokens(), output));
    else if (report.text !== '') await output.lines(report.text.split('\n'));
    for (const line of flags.explain ? report.problems : noticesOf(report)) output.note(line);
    return exitCodes.ok;
  },
});

/** What somebody who sees only the text would miss. */
function noticesOf({ text, receipt, problems }: ContextReport): readonly string[] {
  return [...(text === '' ? receipt.why : []), ...problems];
}

function budgetOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const tokens = /^\d+$/.test(text) ? Number(text) : NaN;
  if (tokens <= limits.contextBudgetMost) return tokens;
  throw usage(
    `--budget takes a number of tokens from 0 to ${limits.contextBudgetMost}, not ${stringifyJson(text)}.`,
    `A usual one: --budget ${limits.contextBudgetTokens}`,
  );
}
