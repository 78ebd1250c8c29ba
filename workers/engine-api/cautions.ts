import type { Caution, Fingerprint, Pooler } from './fingerprint.ts';

/** The remarks about a target in a connection's test and in a result, its pooler first. Pure. */
export const cautionsOf = ({ pooler, cautions = [] }: Fingerprint): readonly Caution[] =>
  pooler ? [poolerCaution(pooler), ...cautions] : cautions;

/**
 * The remark about a connection that is marked as production, and whose user may write; null: the user may not write.
 * Pure.
 */
export const writerCaution = ({ mayWrite }: Fingerprint): Caution | null =>
  mayWrite
    ? {
        title: 'Its user may write',
        text: 'Only Dyno’s reading of the texts protects this server. Give Dyno a user that may only read: `dyno grants` says how.',
      }
    : null;

/** The unit that has one of the server's connections for itself. */
export const poolerText = ({ name, shares }: Pooler): string =>
  `${name ?? 'yes'}, shares the server’s connections by ${{ transactions: 'transaction', sessions: 'session' }[shares]}`;

function poolerCaution({ name, shares, keepsStatements }: Pooler): Caution {
  const byTransaction =
    'It gives each transaction any of the server’s connections. Dyno sets nothing there that outlives a transaction: settings, isolation level and read-only access are made anew in each one, which is part of its time.';
  const bySession = 'It hands the connection of a session on to others when the session ends.';
  return {
    title: 'Through a connection pooler',
    text: [
      `${name ?? 'A pooler'} is between Dyno and the server.`,
      shares === 'transactions' ? byTransaction : bySession,
      ...(keepsStatements ? [] : ['Methods that prepare statements by name cannot run there.']),
      'Times are those of pooler and server together, the size of the pool limits how many calls the server works on at once, and sessions that are left cannot be counted.',
    ].join(' '),
  };
}
