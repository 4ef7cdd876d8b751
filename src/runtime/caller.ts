/** On whose behalf a server is used. */
export interface Caller {
  /** Environment that `${VAR}` references, the allow-list and proxies are taken from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working folder, absolute: the root that servers are told of. */
  readonly cwd: string;
}
