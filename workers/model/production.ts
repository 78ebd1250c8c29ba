/**
 * What a connection to a server that others depend on is protected by. Its presence is the mark: a run asks for the
 * host's name first. Absent members have the values of {@link productionLimits}.
 */
export interface Production {
  /** Most connections of a trial. */
  readonly maxConnections?: number;
  /** Most calls (or transactions) that may arrive per second. */
  readonly maxPerSecond?: number;
  /** Statements that write, and tables of Dyno's, are allowed. Default: no. */
  readonly allowWrites?: true;
}

/** Whether nothing may be written over a connection with this mark; absent: the connection has none. */
export const isReadOnly = (production: Production | undefined): boolean =>
  production !== undefined && !production.allowWrites;

/** The name, among a target's details, of what protects a production connection. */
export const productionDetail = 'production';

/** What keeps a production connection from writing, in words; `readOnlySessions`: see the engine's descriptor. */
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

/** A production connection that somebody has to confirm, by typing the name of its host. */
export interface ToConfirm {
  readonly connection: string;
  /** The text to type: host names with commas between them, or what stands for them. */
  readonly host: string;
}
