import { findPeer } from '../engines/peer-comparison.fixture.ts';
import { benchServer, besidePeer, type ClientRate, printPairs, runPeer } from './beside-peer.fixture.ts';

/**
 * The gallery's YCSB mixes against go-ycsb on the same PostgreSQL server: as many records of the same size, as many threads as connections, prepared
 * statements, values made inside the loop, trial by trial in turns, and one processor for each client (GOMAXPROCS=1). Commits do not wait for
 * the log (synchronous_commit = off), or the disk would be what is compared.
 */
const rounds = Number(process.env.DYNO_BENCH_ROUNDS ?? 10);
const seconds = 2;
const connections = 8;
const records = 10_000;

interface Workload {
  /** Shares of go-ycsb's operations, and other properties of it. */
  readonly peer: Readonly<Record<string, number | string>>;
  /** Where the two do not do the same. */
  readonly note?: string;
}

const workloads: Readonly<Record<string, Workload>> = {
  a: { peer: { readproportion: 0.5, updateproportion: 0.5 } },
  b: { peer: { readproportion: 0.95, updateproportion: 0.05 } },
  c: { peer: { readproportion: 1 } },
  d: { peer: { readproportion: 0.95, insertproportion: 0.05, requestdistribution: 'latest' } },
  e: {
    peer: { scanproportion: 0.95, insertproportion: 0.05, minscanlength: 1, maxscanlength: 100 },
    note: 'ours asks for the order that a range has',
  },
  f: {
    peer: { readproportion: 0.5, readmodifywriteproportion: 0.5 },
    note: 'ours commits both steps together: two round trips more in half of the operations',
  },
};

const program = findPeer(['go-ycsb'], 'go build ./cmd/go-ycsb in a clone of github.com/pingcap/go-ycsb');
await using server = await benchServer();
const { client, target } = server;

/** The peer's table as it makes it itself, with rows as it makes them where keys are in order. */
async function fillPeerTable(): Promise<void> {
  const fields = Array.from({ length: 10 }, (_, i) => `field${i}`);
  const texts = fields.map((_, i) => `left(repeat(md5((n * 10 + ${i})::text), 4), 100)`);
  await client.query('DROP TABLE IF EXISTS usertable');
  await client.query(
    `CREATE TABLE usertable (YCSB_KEY VARCHAR(64) PRIMARY KEY, ${fields.map((field) => `${field} VARCHAR(100)`)})`,
  );
  await client.query(
    `INSERT INTO usertable SELECT 'user' || lpad(n::text, 10, '0'), ${texts} FROM generate_series(0, ${records - 1}) AS n`,
  );
  await client.query('VACUUM (ANALYZE) usertable');
  await client.query('CHECKPOINT');
}

async function peer(own: Workload['peer'], operations: number): Promise<ClientRate> {
  await fillPeerTable();
  const properties = {
    'pg.host': target.host,
    'pg.port': target.port,
    'pg.user': target.user,
    'pg.db': target.database,
    workload: 'core',
    recordcount: records,
    operationcount: operations,
    threadcount: connections,
    insertorder: 'ordered',
    zeropadding: 10,
    requestdistribution: 'zipfian',
    readproportion: 0,
    updateproportion: 0,
    insertproportion: 0,
    scanproportion: 0,
    silence: false,
    ...own,
  };
  const args = Object.entries(properties).flatMap(([name, value]) => ['-p', `${name}=${value}`]);
  const environment = { ...server.environment, GOMAXPROCS: '1' };
  const { stdout, cpuMs } = await runPeer(program!, ['run', 'pg', ...args], environment);
  // What is read, changed and written back is two calls, and one operation.
  const calls = Number(/^TOTAL .*Count: (\d+)/m.exec(stdout)?.[1]);
  const perSecond = (Number(/^TOTAL .*OPS: ([\d.]+)/m.exec(stdout)?.[1]) * operations) / calls;
  if (!(perSecond > 0) || stdout.includes('operation err')) throw new Error(`go-ycsb said: ${stdout.slice(-2_000)}`);
  return { perSecond, cpuUs: cpuMs === null ? null : (cpuMs * 1_000) / operations };
}

console.log(`${connections} connections, ${records.toLocaleString('en')} records, ${rounds} pairs of ${seconds} s`);
for (const [name, workload] of program ? Object.entries(workloads) : []) {
  const run = server.run(`ycsb-${name}`, [
    `dataset.rows=${records}`,
    `workload.connections=${connections}`,
    'factors.method=prepared',
    `measure.repeats=${rounds}`,
    `measure.seconds=${seconds}`,
  ]);
  const pairs = await besidePeer(run, ({ totals }) => peer(workload.peer, totals.calls));
  printPairs(`YCSB ${name.toUpperCase()}-like`, 'go-ycsb', pairs, workload.note);
}
