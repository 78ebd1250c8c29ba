/**
 * The protection of a production connection. Its presence is the mark: a run asks for the host's name first. Absent
 * members have the values of {@link productionLimits}.
 */
export interface Production {
  /** Most connections of a trial. */
  readonly maxConnections?: number;
  /** Most statements in any second. */
  readonly maxPerSecond?: number;
  /** Writing statements and tables of Dyno are allowed. Default: no. */
  readonly allowWrites?: true;
}

/** True if nothing may be written over a connection with this mark; absent: the connection is not marked. */
export const isReadOnly = (production: Production | undefined): boolean =>
  production !== undefined && !production.allowWrites;

/** The name of the production protection among a target's details. */
export const productionDetail = 'production';

/** Describes how writes over a production connection are prevented; `readOnlySessions`: see the engine's descriptor. */
export function protectionOf(
  production: Production,
  { readOnlySessions }: { readonly readOnlySessions?: string },
): string {
  if (!isReadOnly(production)) return 'writes allowed';
  return readOnlySessions === undefined ? 'read-only by the text of its statements' : 'read-only at the server';
}

/** The limits of a production connection without its own. */
export const productionLimits = { maxConnections: 4, maxPerSecond: 100 } as const;

/** The limits of a production connection, its own or the defaults. */
export const limitsOf = (production: Production): Required<Omit<Production, 'allowWrites'>> => ({
  ...productionLimits,
  ...(production.maxConnections !== undefined && { maxConnections: production.maxConnections }),
  ...(production.maxPerSecond !== undefined && { maxPerSecond: production.maxPerSecond }),
});

/** The protection of a target's server, and the connection whose mark it is. */
export interface ServerMark {
  readonly production: Production;
  /** The production connections to the same server, if the target itself has no mark; otherwise empty. */
  readonly of: readonly string[];
}

/** The strictest combination of several protections. */
export function strictest(all: readonly Production[]): Production {
  const limits = all.map(limitsOf);
  return {
    maxConnections: Math.min(...limits.map((one) => one.maxConnections)),
    maxPerSecond: Math.min(...limits.map((one) => one.maxPerSecond)),
    ...(all.every(({ allowWrites }) => allowWrites) && { allowWrites: true }),
  };
}

const quoted = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(' and ');

/** The owner of the target's mark, as a sentence followed by a space; empty if it is the target's own. */
export const ownerText = ({ of }: Pick<ServerMark, 'of'>): string =>
  of.length === 0 ? '' : `This is the server of your production connection${of.length > 1 ? 's' : ''} ${quoted(of)}. `;

/** A production connection that the user has to confirm by typing its host's name. */
export interface ToConfirm {
  readonly connection: string;
  /** The text to type: host names separated by commas, or a substitute without hosts. */
  readonly host: string;
}
