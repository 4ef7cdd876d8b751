/** What the process was started with; read once by main and handed down. */

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. Throws `file_error` when the system does not know it. */
  readonly cwd: string;
  /** As `cwd`. */
  readonly userHome: string;
  readonly platform: string;
  /** The command that runs this program: the interpreter, and the file that it was given. */
  readonly command: readonly [interpreter: string, program: string];
  /** Where this user's short-lived files go; absolute. */
  readonly temporaryFolder: string;
  /** All of standard input as bytes. */
  readInput(): Promise<Uint8Array>;
  /** A line typed at the terminal without being shown; undefined when standard input is no terminal. Throws `cancelled` on Ctrl-C. */
  readonly readHidden?: (() => Promise<string>) | undefined;
  /** Whether a person types standard input. */
  readonly inputTerminal: boolean;
  /** The next line that a person types; undefined at the end of the input. Rejects with the reason of `signal`. Absent where nothing is typed. */
  readonly readLine?: ((signal: AbortSignal) => Promise<string | undefined>) | undefined;
}
