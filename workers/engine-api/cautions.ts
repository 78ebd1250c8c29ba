import type { Caution, Fingerprint, Pooler } from './fingerprint.ts';

/** The remarks about a target in a connection's test and in a result, its pooler first. Pure. */
export const cautionsOf = ({ pooler, cautions = [] }: Fingerprint): readonly Caution[] =>
  pooler ? [poolerCaution(pooler), ...cautions] : cautions;

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
