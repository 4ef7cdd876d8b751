/**
 * Every command by name. Those that answer from files are here with all they need: one file to load. The others are loaded when
 * they are used.
 */
import { hasCommand, type Program } from '../base/index.ts';
import type { Command } from './command.ts';
import { list } from './commands/list.ts';
import { show } from './commands/show.ts';
import { validate } from './commands/validate.ts';

/** What is known of a command without loading it. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases: readonly string[];
  /** A few words for the overview. */
  readonly brief: string;
  /** Whether it answers from files alone, so that no daemon is of use to it. */
  readonly offline: boolean;
  load(): Promise<Command>;
}

/** In the order of the overview. */
export const commandTable: readonly CommandEntry[] = [
  entry('add', 'Add a server and read its tools', async () => (await import('./commands/add.ts')).add),
  entry('sync', 'Read the tools of servers into the registry', async () => (await import('./commands/sync.ts')).sync),
  {
    ...entry('remove', 'Remove a server', async () => (await import('./commands/remove.ts')).remove),
    aliases: ['rm', 'delete'],
  },
  offline('list', 'List servers, or the tools of one', list),
  offline('show', 'Show a server, or one tool with its arguments', show),
  entry('call', 'Call a tool', async () => (await import('./commands/call.ts')).call),
  entry('resources', 'List the resources of a server', async () => (await import('./commands/resources.ts')).resources),
  entry('read', 'Read a resource', async () => (await import('./commands/read.ts')).read),
  entry('prompts', 'List the prompts of a server', async () => (await import('./commands/prompts.ts')).prompts),
  entry('prompt', 'Get a prompt', async () => (await import('./commands/prompt.ts')).prompt),
  {
    ...entry('search', 'Find tools by what they do', async () => (await import('./commands/search.ts')).search),
    offline: true,
  },
  entry('login', 'Sign in to a server', async () => (await import('./commands/login.ts')).login),
  entry('logout', 'Forget a sign-in', async () => (await import('./commands/logout.ts')).logout),
  {
    ...entry(
      'import',
      'Take over servers from other tools',
      async () => (await import('./commands/import.ts')).importCommand,
    ),
    offline: true,
  },
  {
    ...entry(
      'export',
      'Print the servers for another tool',
      async () => (await import('./commands/export.ts')).exportCommand,
    ),
    offline: true,
  },
  {
    ...entry(
      'install',
      'Give Trestle to another host by one entry',
      async () => (await import('./commands/install.ts')).install,
    ),
    offline: true,
  },
  entry('status', 'Show servers, tools and what is wrong', async () => (await import('./commands/status.ts')).status),
  {
    ...entry(
      'context',
      'Print what a model is told of servers and tools',
      async () => (await import('./commands/context.ts')).context,
    ),
    offline: true,
  },
  // What is approved for the session, the daemon knows alone.
  entry(
    'approve',
    'Approve a server or tools of it, or list approvals',
    async () => (await import('./commands/approve.ts')).approve,
  ),
  entry('revoke', 'Take back what was approved', async () => (await import('./commands/revoke.ts')).revoke),
  offline('validate', 'Check the files of registry, configuration and state', validate),
  entry('reload', 'Read the configuration anew', async () => (await import('./commands/reload.ts')).reload),
  entry('doctor', 'Check every server, and say what to do', async () => (await import('./commands/doctor.ts')).doctor),
  {
    ...entry(
      'secret',
      'Keep values that servers need out of files',
      async () => (await import('./commands/secret.ts')).secret,
    ),
    offline: true,
  },
  entry('tool', 'Use a tool object, as a model would', async () => (await import('./commands/tool.ts')).tool),
  entry(
    'daemon',
    'Show, start or stop the process that keeps servers warm',
    async () => (await import('./commands/daemon.ts')).daemon,
  ),
  entry(
    'completion',
    'Let a shell complete command lines',
    async () => (await import('./commands/completion.ts')).completion,
  ),
  entry('probe', 'Look at a server closely, storing nothing', async () => (await import('./commands/probe.ts')).probe),
];

/** The commands that `program` has. */
export function commandsOf(program: Program): readonly CommandEntry[] {
  return commandTable.filter(({ name }) => hasCommand(program, name));
}

/** The command of a name or alias. */
export function findCommand(name: string, program: Program): CommandEntry | undefined {
  return commandsOf(program).find((command) => command.name === name || command.aliases.includes(name));
}

/** Whether `program` has a command of that name or alias. */
export function isCommand(name: string, program: Program): boolean {
  return commandNames(program).includes(name);
}

/** Every name and alias. */
export function commandNames(program: Program): readonly string[] {
  return [...commandsOf(program).flatMap((command) => [command.name, ...command.aliases]), 'help'];
}

function entry(name: string, brief: string, load: () => Promise<Command>): CommandEntry {
  return { name, aliases: [], brief, offline: false, load };
}

function offline(name: string, brief: string, command: Command): CommandEntry {
  return { ...entry(name, brief, () => Promise.resolve(command)), offline: true };
}
