import { findPeer } from '#engines/shared/peer-comparison.fixture.ts';
import { galleryFile, postgresServer } from './bench-server.fixture.ts';
import { besidePeer, type ClientRate, printPairs, runPeer } from './beside-peer.fixture.ts';

/**
 * The gallery's YCSB mixes against go-ycsb on the same PostgreSQL server: as many records of the same size, keys in no
 * order, as many threads as connections, prepared statements that commit by themselves, values made inside the loop,
 * trial by trial in turns, and one processor for each client (GOMAXPROCS=1). Commits do not wait for the log
 * (synchronous_commit = off), or the disk would be what is compared.
 *
 * Where records are only read and updated, both draw them with `latest`: go-ycsb's `zipfian` is cut out of Zipf's law
 * over 10^10 records, so that its most wanted one gets 4 % of the calls, ours 10 %; among the latest both follow Zipf's
 * law over the records that there are.
 */
const rounds = Number(process.env.DYNO_BENCH_ROUNDS ?? 10);
const seconds = 2;
const connections = 8;
const records = 10_000;

interface Workload {
  /** Shares of go-ycsb's operations, and other properties of it. */
  readonly peer: Readonly<Record<string, number | string>>;
  /** Changes to Dyno's mix. */
  readonly changes?: readonly string[];
  /** Calls of Dyno for one operation of go-ycsb. Default: 1. */
  readonly callsPerOperation?: number;
  /** The difference between the work of the two programs. */
  readonly note?: string;
}

const latest = { requestdistribution: 'latest' };
const keyDistribution = (statement: string): string => `statements.${statement}.parameters.id.keyDistribution=latest`;
const readOf = (parameter: string, own: string): string =>
  `{ text: 'SELECT * FROM {table} WHERE ycsb_key = :${parameter}', parameters: {${own}}, expectRows: 1 }`;

const workloads: Readonly<Record<string, Workload>> = {
  a: {
    peer: { readproportion: 0.5, updateproportion: 0.5, ...latest },
    changes: [keyDistribution('read'), keyDistribution('update')],
  },
  b: {
    peer: { readproportion: 0.95, updateproportion: 0.05, ...latest },
    changes: [keyDistribution('read'), keyDistribution('update')],
  },
  c: { peer: { readproportion: 1, ...latest }, changes: [keyDistribution('read')] },
  d: { peer: { readproportion: 0.95, insertproportion: 0.05, ...latest } },
  e: {
    peer: { scanproportion: 0.95, insertproportion: 0.05, minscanlength: 1, maxscanlength: 100 },
    note: 'ours asks for the order that a range has',
  },
  f: {
    peer: { readproportion: 0.5, readmodifywriteproportion: 0.5, ...latest },
    // The gallery's operation is a transaction; go-ycsb reads and then writes, each in its own transaction.
    changes: [
      'transactions=',
      `statements.read=${readOf('other', ' other: { type: key, keyDistribution: latest } ')}`,
      `statements.get=${readOf('id', '')}`,
      `scenarios={ user: { users: ${connections}, steps: [read, get, update], parameters: { id: { type: key, keyDistribution: latest } } } }`,
    ],
    callsPerOperation: 1.5,
    note: 'ours reads and changes in turns',
  },
};

const program = findPeer(['go-ycsb'], 'go build ./cmd/go-ycsb in a clone of github.com/pingcap/go-ycsb');
await using server = await postgresServer();
const { client, target } = server;

async function peer(own: Workload['peer'], operations: number): Promise<ClientRate> {
  const properties = {
    'pg.host': target.host,
    'pg.port': target.port,
    'pg.user': target.user,
    'pg.db': target.database,
    workload: 'core',
    recordcount: records,
    operationcount: operations,
    threadcount: connections,
    requestdistribution: 'zipfian',
    readproportion: 0,
    updateproportion: 0,
    insertproportion: 0,
    scanproportion: 0,
    silence: false,
    ...own,
  };
  const args = Object.entries(properties).flatMap(([name, value]) => ['-p', `${name}=${value}`]);
  const environment = { ...server.environment(), GOMAXPROCS: '1' };
  await client.query('DROP TABLE IF EXISTS usertable');
  await runPeer(program!, ['load', 'pg', ...args], environment);
  await client.query('VACUUM (ANALYZE) usertable');
  await client.query('CHECKPOINT');
  const { stdout, cpuMs } = await runPeer(program!, ['run', 'pg', ...args], environment);
  // A read-modify-write is two calls, and one operation.
  const calls = Number(/^TOTAL .*Count: (\d+)/m.exec(stdout)?.[1]);
  const perSecond = (Number(/^TOTAL .*OPS: ([\d.]+)/m.exec(stdout)?.[1]) * operations) / calls;
  if (!(perSecond > 0) || stdout.includes('operation err')) throw new Error(`go-ycsb said: ${stdout.slice(-2_000)}`);
  return { perSecond, cpuUs: cpuMs === null ? null : (cpuMs * 1_000) / operations };
}

console.log(`${connections} connections, ${records.toLocaleString('en')} records, ${rounds} pairs of ${seconds} s`);
for (const [name, workload] of program ? Object.entries(workloads) : []) {
  const { peer: own, changes = [], callsPerOperation = 1, note } = workload;
  const run = server.run(galleryFile(`ycsb-${name}`), [
    `dataset.rows=${records}`,
    `workload.connections=${connections}`,
    'factors.method=prepared',
    `measure.repeats=${rounds}`,
    `measure.until.seconds=${seconds}`,
    ...changes,
  ]);
  const pairs = await besidePeer(
    run,
    ({ totals }) => peer(own, Math.round(totals.calls / callsPerOperation)),
    callsPerOperation,
  );
  printPairs(`YCSB ${name.toUpperCase()}-like`, 'go-ycsb', pairs, server.product, note);
}
