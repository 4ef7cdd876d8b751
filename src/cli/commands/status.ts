/** `status`: servers, tools, states. */
import { plural } from '../../base/index.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { renderReport } from '../render/json.ts';
import { blockLine } from '../render/receipt.ts';
import { statusLines } from '../render/status-rows.ts';
import { toolCount } from '../render/tool-count.ts';
import { refuseFurther } from '../target.ts';

export const status = defineCommand({
  name: 'status',
  summary: 'Shows every server, what is known of it, and what is wrong. Starts no server.',
  usage: ['status'],
  flags: {},
  json: 'Print { servers, tools, context: { tokens, budgetTokens, inlinedTokens, hash }, notices }.',
  details: [
    'A model is shown a text about the servers and their tools, the block: how many of its tokens are used, by which text\n(the same name is the same text), and what it would be with every descriptor in full. "context" prints it.',
  ],
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
        ...statusLines(status.servers, (text) => style.bold(text)).map(output.pasteable),
        `${plural(status.servers.length, 'server')}, ${toolCount(status.tools, status.denied)}. Registry: ${runtime.places.registryRoot}`,
        ...(block.servers === 0 ? [] : [blockLine(block, inlinedTokens)]),
        ...(receipt.shape === 'sections' || block.servers === 0 ? [] : [receipt.why[0] ?? '']),
      ]);
      for (const notice of status.notices) output.note(notice);
    }
    return exitCodes.ok;
  },
});
