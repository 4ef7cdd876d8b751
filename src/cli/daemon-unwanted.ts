/** Whether the environment says that no daemon is to be used: on a build server, where nothing may outlive a job. */
export function isDaemonUnwanted(env: Readonly<Record<string, string | undefined>>): boolean {
  const variable = env['TRESTLE_NO_DAEMON'];
  // As with other variables of this kind, 0 means no.
  return variable !== undefined && variable !== '' && variable !== '0';
}
