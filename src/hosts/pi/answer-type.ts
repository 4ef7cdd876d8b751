/** The type of the session entries that hold what a command answered. */
export const answerType = 'mcp-bridge';
