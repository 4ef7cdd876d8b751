/** `validate`: every file of the registry, and the files that people write. */
import { plural } from '../../base/index.ts';
import { findingError, type RegistryFinding } from '../../registry/index.ts';
import { type HouseFinding, validateRegistry } from '../../runtime/index.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { renderFileFinding, renderFinding } from '../render/finding.ts';
import { renderJson } from '../render/json.ts';
import type { Output } from '../output.ts';
import { refuseFurther } from '../target.ts';

export const validate = defineCommand({
  name: 'validate',
  summary: 'Checks every file of the registry, and the files that people write. Starts no server.',
  usage: ['validate'],
  flags: {},
  json: 'Print { root, findings: [{ server, file, field, problem, severity, code, hint }], files: [{ subject, level, text, code, hint }] }.',
  details: [
    'The index of the registry is rebuilt. Besides the registry, configuration, settings, approvals, secrets and sign-ins\nare looked at.',
    'Exits with 1 on errors and warnings (text that hides something); a note, as of files edited by hand, is no finding.',
  ],
  examples: ['validate', 'validate --json'],
  async run(context, words) {
    refuseFurther(words.words, 'validate');
    const { output } = context;
    const runtime = context.runtime();
    const { registry } = runtime;
    const findings = await validateRegistry(registry);
    const files = (await runtime.checkFiles()).filter((finding) => finding.level !== 'ok');
    if (output.json) {
      await output.write(
        renderJson({
          root: registry.root,
          findings: findings.map((finding) => withAdvice(finding, output)),
          files: files.map((finding) => pasteable(finding, output)),
        }),
      );
    } else {
      await output.lines([
        ...findings.map((finding) => renderFinding(finding, output.style)),
        ...hintsFor(findings).map((hint) => `hint: ${output.pasteable(hint)}`),
        summaryOf(registry.root, findings),
      ]);
      await printFiles(output, files, runtime.places.serversFile);
    }
    const isWrong =
      findings.some(({ severity }) => severity !== 'note') || files.some(({ level }) => level === 'trouble');
    return isWrong ? exitCodes.failed : exitCodes.ok;
  },
});

/** A finding with the code and the hint that it would have as an error. */
function withAdvice(finding: RegistryFinding, output: Output): object {
  const { code } = findingError(finding);
  return { ...finding, code, hint: output.pasteable(hintOf(finding)) };
}

function pasteable(finding: HouseFinding, output: Output): HouseFinding {
  return finding.level === 'ok' ? finding : { ...finding, hint: output.pasteable(finding.hint) };
}

function hintOf({ severity, server }: RegistryFinding): string {
  if (severity === 'warning') return 'It is left out where it is shown; look at the file before you trust its server.';
  return server === undefined ? 'Move it away, or mend it by hand.' : `Write it anew: trestle sync ${server}`;
}

/** Each once, and none for what nothing has to be done about. */
function hintsFor(findings: readonly RegistryFinding[]): readonly string[] {
  return [...new Set(findings.filter(({ severity }) => severity !== 'note').map(hintOf))];
}

function summaryOf(root: string, findings: readonly RegistryFinding[]): string {
  const count = (wanted: RegistryFinding['severity']): number =>
    findings.filter(({ severity }) => severity === wanted).length;
  const [errors, warnings] = [count('error'), count('warning')];
  return errors + warnings === 0
    ? `${root}: no findings`
    : `${root}: ${plural(errors, 'error')}, ${plural(warnings, 'warning')}`;
}

async function printFiles(output: Output, files: readonly HouseFinding[], serversFile: string): Promise<void> {
  const troubles = files.filter(({ level }) => level === 'trouble').length;
  await output.lines([
    ...files.flatMap((finding) => renderFileFinding(pasteable(finding, output), output.style)),
    troubles === 0
      ? `${serversFile} and the files beside it: no findings`
      : `${serversFile} and the files beside it: ${plural(troubles, 'error')}`,
  ]);
}
