import { DynoError } from '#model/error.ts';
import type { Missing, ServerKind } from '../process/server-kind.ts';
import { derby, derbyByVersion } from './derby.ts';
import { mariadb, mysqlByVersion } from './mariadb.ts';
import { mongodb, mongodbByVersion } from './mongodb.ts';
import { postgres, postgresByVersion } from './postgres/postgres.ts';
import { ravendb } from './ravendb/ravendb.ts';
import { snappydata, snappydataOfTwo } from './snappydata.ts';

/** Every kind of server that Dyno can start. Each serves the built-in target of the same name. */
export const kinds: readonly ServerKind[] = [
  ...[postgres, mariadb, mongodb, ravendb, derby, snappydata],
  ...[...postgresByVersion, ...mysqlByVersion, ...mongodbByVersion, ...derbyByVersion],
  snappydataOfTwo,
];

/** The kinds that a command without names takes: the usual server of each product, without other versions. */
export const usualKinds: readonly ServerKind[] = kinds.filter(({ byVersion = false }) => !byVersion);

/** The kind of server behind a built-in target. Null: the target needs no server. */
export const kindOf = (target: string | undefined): ServerKind | null => kinds.find(({ id }) => id === target) ?? null;

/** The kind with this id, or of this engine; throws 'badInput' for any other name. */
export function requireKind(name: string): ServerKind {
  const kind = kinds.find(({ id, engine }) => id === name || engine === name);
  if (!kind)
    throw new DynoError('badInput', `Dyno starts no server “${name}”.`, {
      hint: `There are: ${kinds.map(({ id }) => id).join(', ')}.`,
    });
  return kind;
}

export const missingError = ({ label }: ServerKind, { what, fix }: Missing): DynoError =>
  new DynoError('unsupported', `${label} cannot be started on this machine: ${what}`, {
    hint: `${sentence(fix)} Or give a server of your own as a target.`,
  });

/** The missing prerequisite of a kind on this machine, as a sentence, and its fix; null if nothing is missing. */
export async function missingOf(kind: ServerKind): Promise<Missing | null> {
  const missing = await kind.missing();
  return missing && { ...missing, what: sentence(missing.what) };
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Built-in targets that cannot be started on this machine, by name. */
export async function missingTargets(): Promise<Readonly<Record<string, Missing>>> {
  const found = await Promise.all(kinds.map(async (kind) => [kind.id, await missingOf(kind)] as const));
  return Object.fromEntries(found.flatMap(([id, missing]) => (missing ? [[id, missing]] : [])));
}
