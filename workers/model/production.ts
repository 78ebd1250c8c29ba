/**
 * The protection of a connection to a server that others depend on. Its presence is the mark: a run asks for the host's
 * name first. Absent members have the values of {@link productionLimits}.
 */
export interface Production {
  /** Most connections of a trial. */
  readonly maxConnections?: number;
  /** Most statements in any second. */
  readonly maxPerSecond?: number;
  /** Statements that write, and tables of Dyno's, are allowed. Default: no. */
  readonly allowWrites?: true;
}

/** True if nothing may be written over a connection with this mark; absent: the connection has no mark. */
export const isReadOnly = (production: Production | undefined): boolean =>
  production !== undefined && !production.allowWrites;

/** The name, among a target's details, of what protects a production connection. */
export const productionDetail = 'production';

/**
 * Describes the means that keep a production connection from writing; `readOnlySessions`: see the engine's descriptor.
 */
export function protectionOf(
  production: Production,
  { readOnlySessions }: { readonly readOnlySessions?: string },
): string {
  if (!isReadOnly(production)) return 'writes allowed';
  return readOnlySessions === undefined ? 'read-only by the text of its statements' : 'read-only at the server';
}

/** The limits of a production connection that sets none itself. */
export const productionLimits = { maxConnections: 4, maxPerSecond: 100 } as const;

/** The limits of a production connection, its own or the usual ones. */
export const limitsOf = (production: Production): Required<Omit<Production, 'allowWrites'>> => ({
  ...productionLimits,
  ...(production.maxConnections !== undefined && { maxConnections: production.maxConnections }),
  ...(production.maxPerSecond !== undefined && { maxPerSecond: production.maxPerSecond }),
});

/** The protection of a target's server, and the connection whose mark it is. */
export interface ServerMark {
  readonly production: Production;
  /** The production connections whose server it is, where the target has no mark of its own; else empty. */
  readonly of: readonly string[];
}

/** The strictest of several protections: what each of them forbids is forbidden. */
export function strictest(all: readonly Production[]): Production {
  const limits = all.map(limitsOf);
  return {
    maxConnections: Math.min(...limits.map((one) => one.maxConnections)),
    maxPerSecond: Math.min(...limits.map((one) => one.maxPerSecond)),
    ...(all.every(({ allowWrites }) => allowWrites) && { allowWrites: true }),
  };
}

const quoted = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(' and ');

/** Whose server a target is, as a sentence with a space behind it; empty where the mark is its own. */
export const ownerText = ({ of }: Pick<ServerMark, 'of'>): string =>
  of.length === 0 ? '' : `This is the server of your production connection${of.length > 1 ? 's' : ''} ${quoted(of)}. `;

/** A production connection that somebody has to confirm, by typing the name of its host. */
export interface ToConfirm {
  readonly connection: string;
  /** The text to type: host names with commas between them, or what stands for them. */
  readonly host: string;
}
