/** What requests to servers need; loaded by the first one, so that lists and help cost nothing of it. */
export { callTool } from './call.ts';
export { answerQuestion, approvalReport, approveServer, revokeApprovals } from './consent.ts';
export { examine } from './doctor.ts';
export { keepWhole, presentBlocks } from './finalise.ts';
export { inspectServer } from './inspect.ts';
export { postRequest } from './post.ts';
export { getPrompt, listPrompts } from './prompts.ts';
export { refreshLists } from './refresh-lists.ts';
export { reloadServers } from './reload.ts';
export { signIn, signOut } from './sign-in.ts';
export { listResources, readResource } from './resources.ts';
export { syncServer } from './sync.ts';
export { listTools } from './tools.ts';
