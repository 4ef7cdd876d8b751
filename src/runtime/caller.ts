/** On whose behalf a server is used. */
export interface Caller {
  /** Environment that `${VAR}` references, the allow-list and proxies are taken from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working folder, absolute: the root that servers are told of. */
  readonly cwd: string;
  /**
   * Whether the host takes the folder's project for trusted, default true. What an untrusted one asks for is not looked at: it is not
   * even told as waiting. Trust alone approves nothing.
   */
  readonly projectTrusted?: boolean;
}
