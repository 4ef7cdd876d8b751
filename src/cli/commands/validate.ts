/** `validate`: every file of the registry. */
import { plural } from '../../base/index.ts';
import type { RegistryFinding } from '../../registry/index.ts';
import { validateRegistry } from '../../runtime/index.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { renderFinding } from '../render/finding.ts';
import { renderJson } from '../render/json.ts';
import { refuseFurther } from '../target.ts';

export const validate = defineCommand({
  name: 'validate',
  summary: 'Checks every file of the registry and rebuilds its index. Starts no server.',
  usage: ['validate'],
  flags: {},
  json: 'Print { root, findings: [{ server, file, field, problem, severity }] }.',
  details: [
    'Exits with 1 on errors and warnings (text that hides something); a note, as of files edited by hand, is no finding.',
  ],
  examples: ['validate', 'validate --json'],
  async run(context, words) {
    refuseFurther(words.words, 'validate');
    const { output } = context;
    const { registry } = context.runtime();
    const findings = await validateRegistry(registry);
    const count = (wanted: RegistryFinding['severity']): number =>
      findings.filter(({ severity }) => severity === wanted).length;
    const [errors, warnings] = [count('error'), count('warning')];
    if (output.json) await output.write(renderJson({ root: registry.root, findings }));
    else {
      const summary =
        errors + warnings === 0
          ? `${registry.root}: no findings`
          : `${registry.root}: ${plural(errors, 'error')}, ${plural(warnings, 'warning')}`;
      await output.lines([...findings.map((finding) => renderFinding(finding, output.style)), summary]);
    }
    return errors + warnings > 0 ? exitCodes.failed : exitCodes.ok;
  },
});
