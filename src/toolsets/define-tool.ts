import { asTrestleError } from '../base/index.ts';
import { failedOutcome } from '../runtime/index.ts';
import { type Members, readMembers } from './read-members.ts';
import type { ToolControl, ToolDefinition, ToolObject, ToolOutput } from './tool-object.ts';
import { failureOutput } from './tool-output.ts';

/** A tool object that never rejects: whatever `run` throws becomes a failure the model can read. `run` gets checked members. */
export function defineTool(
  definition: ToolDefinition,
  run: (members: Members, control: ToolControl) => Promise<ToolOutput>,
): ToolObject {
  return {
    ...definition,
    async execute(args, control = {}) {
      try {
        return await run(readMembers(definition, args), control);
      } catch (error) {
        return failureOutput(failedOutcome(asTrestleError(error)));
      }
    },
  };
}
