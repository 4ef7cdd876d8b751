/** `status`: servers, tools, states. */
import { plural } from '../../base/index.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { renderReport } from '../render/json.ts';
import { blockLine } from '../render/receipt.ts';
import { statusRows } from '../render/status-rows.ts';
import { renderTable } from '../render/table.ts';
import { toolCount } from '../render/tool-count.ts';
import { refuseFurther } from '../target.ts';

export const status = defineCommand({
  name: 'status',
  summary: 'Shows every server, what is known of it, and what is wrong. Starts no server.',
  usage: ['status'],
  flags: {},
  json: 'Print { servers, tools, context: { tokens, budgetTokens, inlinedTokens, hash }, notices }.',
  examples: ['status', 'status --json'],
  async run(context, words) {
    refuseFurther(words.words, 'status');
    const { output } = context;
    const runtime = context.runtime();
    const status = await runtime.status();
    const block = await runtime.context();
    const inlinedTokens = await runtime.inlinedTokens();
    const { tokens, hash, receipt } = block;
    if (output.json) {
      const { budgetTokens } = receipt;
      await output.write(renderReport({ ...status, context: { tokens, budgetTokens, inlinedTokens, hash } }, output));
    } else {
      const { style } = output;
      await output.lines([
        // What is wrong is what the command is for, so that is never cut.
        ...renderTable(statusRows(status.servers), Number.MAX_SAFE_INTEGER, (text, column) =>
          column === 0 ? style.bold(text) : text,
        ).map(output.pasteable),
        `${plural(status.servers.length, 'server')}, ${toolCount(status.tools, status.denied)}. Registry: ${runtime.places.registryRoot}`,
        ...(block.servers === 0 ? [] : [blockLine(block, inlinedTokens)]),
        ...(receipt.shape === 'sections' || block.servers === 0 ? [] : [receipt.why[0] ?? '']),
      ]);
      for (const notice of status.notices) output.note(notice);
    }
    return exitCodes.ok;
  },
});
