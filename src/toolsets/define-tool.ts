import { asTrestleError, pasteableFailure } from '../base/index.ts';
import { type Failed, failedOutcome } from '../runtime/index.ts';
import { type Members, readMembers } from './read-members.ts';
import type { ToolControl, ToolDefinition, ToolObject, ToolOutput } from './tool-object.ts';
import { failureOutput } from './tool-output.ts';

/** What a tool does with checked members. A failure of it, returned or thrown, becomes one that the model can read. */
export type RunTool = (members: Members, control: ToolControl) => Promise<ToolOutput | Failed>;

/** A tool object that never rejects. `pasteable` writes our commands in hints as the host's person can run them. */
export function defineTool(
  definition: ToolDefinition,
  run: RunTool,
  pasteable: (text: string) => string = (text) => text,
): ToolObject {
  const attempt = async (args: unknown, control: ToolControl): Promise<ToolOutput | Failed> => {
    try {
      return await run(readMembers(definition, args), control);
    } catch (error) {
      return failedOutcome(asTrestleError(error));
    }
  };
  return {
    ...definition,
    async execute(args, control = {}) {
      const output = await attempt(args, control);
      return 'failure' in output ? failedOutput(output, pasteable) : output;
    },
  };
}

/** As a tool tells of a failure of its own; for a host that fails before or after the tool does. */
export function failedOutput(failed: Failed, pasteable: (text: string) => string): ToolOutput {
  return failureOutput({ ...failed, failure: pasteableFailure(failed.failure, pasteable) });
}
