/** `completion`: what a shell loads so that Tab completes commands, flags, servers, tools and their arguments. */
import { nearest } from '../../base/index.ts';
import { defineCommand } from '../command.ts';
import { scripts, type Shell, shells } from '../completion/scripts.ts';
import { exitCodes } from '../exit-codes.ts';
import { usage } from '../flags.ts';
import { renderJson } from '../render/json.ts';
import { refuseFurther } from '../target.ts';
import { correctedCommand } from '../typed-command.ts';

export const completion = defineCommand({
  name: 'completion',
  summary: 'Prints a script that lets a shell complete commands, flags, servers, tools, prompts and their arguments.',
  usage: ['completion bash', 'completion zsh', 'completion fish'],
  flags: {},
  words: [shells],
  json: 'Print { shell, script }.',
  details: [
    'The first lines of the script say where it belongs. What is completed comes from files; no server is started.',
  ],
  examples: ['completion bash', 'completion fish > ~/.config/fish/completions/trestle.fish'],
  async run({ output, typed }, words) {
    const [shell, ...others] = words.words;
    if (shell === undefined) throw usage('The shell is missing.', `There are ${shells.join(', ')}.`);
    refuseFurther(others, 'the shell');
    if (!isShell(shell.text)) {
      const [guess] = nearest(shell.text, shells, 1);
      throw usage(
        `There is no completion for "${shell.text}"; there are ${shells.join(', ')}.`,
        guess === undefined
          ? undefined
          : `Did you mean: ${correctedCommand(typed, [{ at: shell.at, words: [guess] }])}`,
      );
    }
    const script = scripts[shell.text];
    await output.write(output.json ? renderJson({ shell: shell.text, script }) : script);
    return exitCodes.ok;
  },
});

function isShell(text: string): text is Shell {
  return Object.hasOwn(scripts, text);
}
