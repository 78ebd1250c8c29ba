import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPeer } from '#engines/shared/peer-comparison.fixture.ts';
import { benchServer, besidePeer, type ClientRate, printPairs, runPeer } from './beside-peer.fixture.ts';

/**
 * The gallery's TPC-B-like transaction against `pgbench -M prepared` with one thread, on the same PostgreSQL server:
 * the same texts, branches, tellers and accounts, as many clients as connections, trial by trial in turns. Commits do
 * not wait for the log (synchronous_commit = off).
 */
const rounds = Number(process.env.DYNO_BENCH_ROUNDS ?? 10);
const seconds = 2;
const connections = 8;
/** More than connections, as pgbench advises; each has a tenth of pgbench's accounts. */
const branches = 16;
const accountsOfBranch = 10_000;

/** pgbench's own, but for the number of accounts. */
const script = `\\set aid random(1, ${branches * accountsOfBranch})
\\set bid random(1, ${branches})
\\set tid random(1, ${branches * 10})
\\set delta random(-5000, 5000)
BEGIN;
UPDATE accounts SET abalance = abalance + :delta WHERE aid = :aid;
SELECT abalance FROM accounts WHERE aid = :aid;
UPDATE tellers SET tbalance = tbalance + :delta WHERE tid = :tid;
UPDATE branches SET bbalance = bbalance + :delta WHERE bid = :bid;
INSERT INTO history (tid, bid, aid, delta, mtime) VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP);
END;
`;

const program = findPeer(['pgbench'], 'Debian: postgresql-client');
const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
const file = join(folder, 'tpc-b.sql');
writeFileSync(file, script);
await using server = await benchServer();
const { client } = server;

async function fillPeerTables(): Promise<void> {
  const names = ['branches', 'tellers', 'accounts', 'history'];
  await client.query(`DROP TABLE IF EXISTS ${names}`);
  await client.query(`
    CREATE TABLE branches AS SELECT b::bigint AS bid, 0 AS bbalance, repeat('x', 88)::varchar(88) AS filler FROM generate_series(1, ${branches}) AS b;
    CREATE TABLE tellers AS SELECT t::bigint AS tid, ((t - 1) / 10 + 1)::bigint AS bid, 0 AS tbalance, repeat('x', 84)::varchar(84) AS filler
      FROM generate_series(1, ${branches * 10}) AS t;
    CREATE TABLE accounts AS SELECT a::bigint AS aid, ((a - 1) / ${accountsOfBranch} + 1)::bigint AS bid, 0 AS abalance, repeat('x', 84)::varchar(84) AS filler
      FROM generate_series(1, ${branches * accountsOfBranch}) AS a;
    CREATE TABLE history (tid bigint, bid bigint, aid bigint, delta int, mtime timestamptz);
    ALTER TABLE branches ADD PRIMARY KEY (bid);
    ALTER TABLE tellers ADD PRIMARY KEY (tid);
    ALTER TABLE accounts ADD PRIMARY KEY (aid)`);
  for (const name of names) await client.query(`VACUUM (ANALYZE) ${name}`);
  await client.query('CHECKPOINT');
}

async function peer(): Promise<ClientRate> {
  await fillPeerTables();
  const args = ['-n', '-M', 'prepared', '-c', `${connections}`, '-j', '1', '-T', `${seconds}`, '-f', file];
  const { stdout, cpuMs } = await runPeer(program!, args, server.environment);
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
  const transactions = Number(/actually processed: (\d+)/.exec(stdout)?.[1]);
  if (!(perSecond > 0)) throw new Error(`pgbench said: ${stdout}`);
  return { perSecond, cpuUs: cpuMs === null ? null : (cpuMs * 1_000) / transactions };
}

try {
  console.log(`${connections} connections, ${branches} branches, ${rounds} pairs of ${seconds} s`);
  if (program) {
    const run = server.run('tpc-b', [
      `tables.branches.rows=${branches}`,
      `tables.tellers.rows=${branches * 10}`,
      `tables.accounts.rows=${branches * accountsOfBranch}`,
      'workload.method=prepared',
      `factors.connections=${connections}`,
      `measure.repeats=${rounds}`,
      `measure.until.seconds=${seconds}`,
    ]);
    printPairs('TPC-B-like', 'pgbench', await besidePeer(run, peer));
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
