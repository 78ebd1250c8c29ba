import type { Missing } from '../process/server-kind.ts';
import { missingTargets } from '../servers/kinds.ts';
import { installables } from './install.ts';
import { findProgram } from './tools.ts';

/** What a server lacks on this machine, and what Dyno or the user's package manager can do about it. */
interface MissingServer extends Missing {
  /** Null: it is nothing that Dyno can fetch. */
  readonly install: { readonly tool: string; readonly about: string } | null;
  /** Commands that this machine has the package manager for. */
  readonly commands: readonly string[];
}

/** The built-in targets that cannot be started on this machine, by name. */
export async function missingServers(): Promise<Readonly<Record<string, MissingServer>>> {
  const missing = Object.entries(await missingTargets());
  return Object.fromEntries(
    missing.map(([id, one]) => [id, { ...one, install: offerIn(one.fix), commands: commandsIn(one.fix, hasProgram) }]),
  );
}

/** The tool whose installation a fix advises; null where it advises something else, such as a JDK that comes first. */
export function offerIn(fix: string): MissingServer['install'] {
  const [, name] = /\bdyno servers install ([\w-]+)/.exec(fix) ?? [];
  const tool = installables.find((one) => one.name === name);
  return tool ? { tool: tool.name, about: tool.about } : null;
}

const command = /\b(?:sudo )?(apt-get|apt|dnf|brew|winget) install(?: [\w@+-]+(?:\.[\w@+-]+)*)+/g;

/** The commands of package managers in a fix. `has`: whether this machine has a program. */
export const commandsIn = (fix: string, has: (program: string) => boolean): readonly string[] =>
  [...fix.matchAll(command)].filter(([, manager = '']) => has(manager)).map(([text]) => text);

const hasProgram = (program: string): boolean => findProgram([program]) !== null;
