import { installables } from '../install/install.ts';
import type { Installable } from '../install/products/installable.ts';
import { findProgram } from '../install/tools.ts';
import type { Missing } from '../process/server-kind.ts';
import { missingTargets } from './kinds.ts';

/** The missing prerequisites of a server on this machine, and the remedies by Dyno or the user's package manager. */
interface MissingServer extends Missing {
  /** Null: Dyno cannot fetch it. */
  readonly install: { readonly tool: string; readonly about: string } | null;
  /** Commands for package managers of this machine. */
  readonly commands: readonly string[];
}

/** The built-in targets that cannot be started on this machine, by name. */
export async function missingServers(): Promise<Readonly<Record<string, MissingServer>>> {
  const missing = Object.entries(await missingTargets());
  return Object.fromEntries(await Promise.all(missing.map(async ([id, one]) => [id, await offerFor(one)] as const)));
}

/**
 * The remedies for a missing prerequisite. If the machine lacks something for Dyno's own installation, that comes
 * first, because the button would fail.
 */
export async function offerFor(
  missing: Missing,
  tools: readonly Pick<Installable, 'name' | 'about' | 'lacks'>[] = installables,
): Promise<MissingServer> {
  const [, name] = /\bdyno servers install ([\w@-]+)/.exec(missing.fix) ?? [];
  const tool = tools.find((one) => one.name === name);
  const lack = (await tool?.lacks()) ?? null;
  if (!tool || lack === null) return { ...missing, ...offered(missing.fix, tool) };
  return { what: `${missing.what} To install it from here: ${lack.what}`, fix: lack.fix, ...offered(lack.fix) };
}

const offered = (
  fix: string,
  tool?: Pick<Installable, 'name' | 'about'>,
): Pick<MissingServer, 'install' | 'commands'> => ({
  install: tool ? { tool: tool.name, about: tool.about } : null,
  commands: commandsIn(fix, hasProgram),
});

const command = /\b(?:sudo )?(apt-get|apt|dnf|brew|winget) install(?: [\w@+-]+(?:\.[\w@+-]+)*)+/g;

/** The commands of package managers in a fix. `has`: whether this machine has a program. */
export const commandsIn = (fix: string, has: (program: string) => boolean): readonly string[] =>
  [...fix.matchAll(command)].filter(([, manager = '']) => has(manager)).map(([text]) => text);

const hasProgram = (program: string): boolean => findProgram([program]) !== null;
