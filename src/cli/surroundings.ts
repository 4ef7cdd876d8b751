/** What the process was started with; read once by main and handed down. */

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  readonly userHome: string;
  readonly platform: string;
  /** All of standard input as bytes. */
  readInput(): Promise<Uint8Array>;
}
