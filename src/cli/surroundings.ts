/** What the process was started with; read once by main and handed down. */

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. Throws `file_error` when the system does not know it. */
  readonly cwd: string;
  /** As `cwd`. */
  readonly userHome: string;
  readonly platform: string;
  /** All of standard input as bytes. */
  readInput(): Promise<Uint8Array>;
}
