/** What requests to servers need; loaded by the first one, so that lists and help cost nothing of it. */
export { callTool } from './requests/call.ts';
export { answerQuestion, approvalReport, approveServer, revokeApprovals } from './consent/consent.ts';
export { examine } from './health/doctor.ts';
export { keepWhole, presentBlocks } from './requests/finalise.ts';
export { inspectServer } from './requests/inspect.ts';
export { postRequest } from './requests/post.ts';
export { getPrompt, listPrompts } from './requests/prompts.ts';
export { refreshLists } from './sync/refresh-lists.ts';
export { reloadServers } from './sync/reload.ts';
export { signIn, signOut } from './requests/sign-in.ts';
export { listResources, readResource } from './requests/resources.ts';
export { syncServer } from './sync/sync.ts';
export { listTools } from './requests/tools.ts';
