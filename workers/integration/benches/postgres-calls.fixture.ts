import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { galleryFile, postgresServer } from './bench-server.fixture.ts';
import { runPeer } from './beside-peer.fixture.ts';
import { type CallCase, seconds } from './calls.fixture.ts';

const rows = 100_000;
/** More than connections, as pgbench advises; each has a tenth of pgbench's accounts. */
const branches = 16;
const accountsOfBranch = 10_000;
const pipelined = 1_000;

/** pgbench's own statements, except for the number of accounts. */
const tpcB = `\\set aid random(1, ${branches * accountsOfBranch})
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
const insertOne = `\\set id random(1, 1000000000)
\\set amount random(1, 1000000000)
INSERT INTO entries (id, amount) VALUES (:id, :amount);
`;

const experiment = (dataset: string, workload: string): string => `dyno: 1
name: Calls
question: What does a call cost?
dataset: ${dataset}
workload: ${workload}
targets: [noop]
measure: { repeats: 1 }
`;
const readByKey = experiment(
  `{ rows: ${rows}, key: id, columns: { id: { type: sequence }, payload: { type: text, length: 20 } } }`,
  '{ operation: readByKey, method: prepared }',
);
const number = '{ type: integer, min: 1, max: 1000000000 }';
const insert = experiment(`{ rows: 1, columns: { id: ${number}, amount: ${number} } }`, '{ operation: insert }');

/** Calls on a PostgreSQL server, beside `pgbench -M prepared`: the same statements, as many clients as connections. */
export async function postgresCalls() {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const server = opened.use(await postgresServer());
  const pgbench = (made: PgbenchCase): CallCase['peer'] => {
    const { connections, threads = 1, script, tables, perTransaction = 1, commit } = made;
    return {
      name: `pgbench -j${threads}`,
      package: 'postgresql-contrib',
      programs: ['pgbench'],
      async run(program) {
        for (const sql of tables) await server.client.query(sql);
        const file = join(folder, 'calls.sql');
        writeFileSync(file, script);
        const args = ['-n', '-M', 'prepared', '-c', `${connections}`, '-j', `${threads}`, '-T', `${seconds}`];
        const { stdout, cpuMs } = await runPeer(program, [...args, '-f', file], server.environment(commit));
        const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]) * perTransaction;
        const done = Number(/actually processed: (\d+)/.exec(stdout)?.[1]) * perTransaction;
        if (!(perSecond > 0)) throw new Error(`pgbench said: ${stdout}`);
        return { perSecond, cpuUs: cpuMs === null ? null : (cpuMs * 1_000) / done };
      },
    };
  };
  const runs =
    (yaml: string, own: readonly string[], commit?: 'on'): CallCase['run'] =>
    (trials, changes = []) =>
      server.run(yaml, [...own, `measure.repeats=${trials}`, `measure.until.seconds=${seconds}`, ...changes], commit);

  const reads = (processes: number): CallCase => ({
    name: `postgres-reads-${processes}`,
    title: `PostgreSQL, reads by key, 8 connections, ${processes === 1 ? '1 process' : `${processes} processes`}`,
    run: runs(readByKey, ['workload.connections=8', `workload.processes=${processes}`]),
    peer: pgbench({
      connections: 8,
      threads: processes,
      script: `\\set id random(1, ${rows})\nSELECT id, payload FROM rows WHERE id = :id;\n`,
      tables: [
        'DROP TABLE IF EXISTS rows',
        `CREATE TABLE rows AS SELECT i::bigint AS id, repeat('x', 20)::varchar(20) AS payload FROM generate_series(1, ${rows}) AS i`,
        'ALTER TABLE rows ADD PRIMARY KEY (id)',
        'VACUUM (ANALYZE) rows',
      ],
    }),
  });
  const entries = ['DROP TABLE IF EXISTS entries', 'CREATE TABLE entries (id bigint, amount bigint)', 'CHECKPOINT'];
  const cases: readonly CallCase[] = [
    reads(1),
    reads(2),
    {
      name: 'postgres-tpc-b',
      title: 'PostgreSQL, TPC-B-like, 8 connections',
      run: runs(galleryFile('tpc-b'), [
        `tables.branches.rows=${branches}`,
        `tables.tellers.rows=${branches * 10}`,
        `tables.accounts.rows=${branches * accountsOfBranch}`,
        'workload.method=prepared',
        'factors.connections=8',
      ]),
      peer: pgbench({ connections: 8, script: tpcB, tables: tpcBTables }),
    },
    {
      name: 'postgres-commits',
      title: 'PostgreSQL, single-row commits, 16 connections',
      run: runs(insert, ['workload.method=prepared', 'workload.connections=16'], 'on'),
      peer: pgbench({ connections: 16, script: insertOne, tables: entries, commit: 'on' }),
    },
    {
      name: 'postgres-pipelined',
      title: 'PostgreSQL, pipelined single rows, 1 connection',
      run: runs(insert, [
        'workload.method=pipelined',
        'workload.pipelineDepth=100',
        `workload.callsPerCommit=${pipelined}`,
      ]),
      peer: pgbench({
        connections: 1,
        script: `BEGIN;\n\\startpipeline\n${insertOne.repeat(pipelined)}\\endpipeline\nCOMMIT;\n`,
        tables: entries,
        perTransaction: pipelined,
      }),
    },
  ];
  const kept = opened.move();
  return { engine: 'postgres', product: server.product, cases, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

interface PgbenchCase {
  readonly connections: number;
  readonly threads?: number;
  readonly script: string;
  /** Recreates the peer's tables. */
  readonly tables: readonly string[];
  /** Rows in a transaction of the script, if the benchmark counts rows. */
  readonly perTransaction?: number;
  readonly commit?: 'on';
}

const tpcBTables = [
  'DROP TABLE IF EXISTS branches, tellers, accounts, history',
  `CREATE TABLE branches AS SELECT b::bigint AS bid, 0 AS bbalance, repeat('x', 88)::varchar(88) AS filler FROM generate_series(1, ${branches}) AS b`,
  `CREATE TABLE tellers AS SELECT t::bigint AS tid, ((t - 1) / 10 + 1)::bigint AS bid, 0 AS tbalance, repeat('x', 84)::varchar(84) AS filler
     FROM generate_series(1, ${branches * 10}) AS t`,
  `CREATE TABLE accounts AS SELECT a::bigint AS aid, ((a - 1) / ${accountsOfBranch} + 1)::bigint AS bid, 0 AS abalance, repeat('x', 84)::varchar(84) AS filler
     FROM generate_series(1, ${branches * accountsOfBranch}) AS a`,
  'CREATE TABLE history (tid bigint, bid bigint, aid bigint, delta int, mtime timestamptz)',
  'ALTER TABLE branches ADD PRIMARY KEY (bid)',
  'ALTER TABLE tellers ADD PRIMARY KEY (tid)',
  'ALTER TABLE accounts ADD PRIMARY KEY (aid)',
  ...['branches', 'tellers', 'accounts', 'history'].map((name) => `VACUUM (ANALYZE) ${name}`),
  'CHECKPOINT',
];
