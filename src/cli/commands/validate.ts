/** `validate`: every file of the registry. */
import { plural } from '../../base/index.ts';
import { validateRegistry } from '../../runtime/index.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { renderFinding } from '../render/changes.ts';
import { renderJson } from '../render/json.ts';
import { refuseFurther } from '../target.ts';

export const validate = defineCommand({
  name: 'validate',
  summary: 'Checks every file of the registry and rebuilds its index. Starts no server.',
  usage: ['validate'],
  flags: {},
  json: 'Print { root, findings: [{ server, file, field, problem, severity }] }.',
  details: ['Exits with 1 when a file is wrong; warnings alone (text that hides something) exit with 0.'],
  examples: ['validate', 'validate --json'],
  async run(context, words) {
    refuseFurther(words.words, 'validate');
    const { output } = context;
    const { registry } = context.runtime();
    const findings = await validateRegistry(registry);
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    if (output.json) await output.write(renderJson({ root: registry.root, findings }));
    else {
      const summary =
        findings.length === 0
          ? `${registry.root}: no findings`
          : `${registry.root}: ${plural(errors, 'error')}, ${plural(findings.length - errors, 'warning')}`;
      await output.lines([...findings.map((finding) => renderFinding(finding, output.style)), summary]);
    }
    return errors > 0 ? exitCodes.failed : exitCodes.ok;
  },
});
