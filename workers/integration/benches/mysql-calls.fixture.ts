import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mariadbServer } from './bench-server.fixture.ts';
import { runPeer } from './beside-peer.fixture.ts';
import { type CallCase, seconds } from './calls.fixture.ts';

const rows = 100_000;
const connections = 8;
/** Rows of a range, and point selects of a transaction: sysbench's defaults. */
const range = 100;
const points = 10;

/** sysbench's table and its statements. */
const experiment = (workload: string, more = ''): string => `dyno: 1
name: Calls
question: What does a call cost?
dataset:
  rows: ${rows}
  key: id
  columns:
    id: { type: sequence }
    k: { type: integer, min: 1, max: ${rows} }
    c: { type: text, length: 120, nulls: 0 }
    pad: { type: text, length: 60, nulls: 0 }
  indexes: [{ columns: [k] }]
workload: ${workload}
${more}
targets: [noop]
measure: { repeats: 1 }
`;
const pointSelect = experiment(
  '{ operation: statement, method: prepared }',
  `statements:
  point: { text: 'SELECT c FROM {table} WHERE id = :id', parameters: { id: { type: key } }, expectRows: 1 }`,
);
const inRange = `WHERE id BETWEEN :id AND :id + ${range - 1}`;
const readWrite = experiment(
  '{ operation: statement, method: prepared }',
  `statements:
  point: { text: 'SELECT c FROM {table} WHERE id = :id' }
  simpleRange: { text: 'SELECT c FROM {table} ${inRange}' }
  sumRange: { text: 'SELECT SUM(k) FROM {table} ${inRange}' }
  orderRange: { text: 'SELECT c FROM {table} ${inRange} ORDER BY c' }
  distinctRange: { text: 'SELECT DISTINCT c FROM {table} ${inRange} ORDER BY c' }
  indexUpdate: { text: 'UPDATE {table} SET k = k + 1 WHERE id = :id' }
  otherUpdate: { text: 'UPDATE {table} SET c = :c WHERE id = :id' }
  remove: { text: 'DELETE FROM {table} WHERE id = :id' }
  insert: { text: 'INSERT INTO {table} (id, k, c, pad) VALUES (:id, :k, :c, :pad)' }
transactions:
  oltp:
    steps:
      - { times: ${points}, steps: [point], parameters: { id: { type: key } } }
${['simpleRange', 'sumRange', 'orderRange', 'distinctRange', 'indexUpdate', 'otherUpdate']
  .map((step) => `      - { times: 1, steps: [${step}], parameters: { id: { type: key } } }`)
  .join('\n')}
      - remove
      - insert
    parameters:
      id: { type: key }
      k: { type: integer, min: 1, max: ${rows} }
      c: { type: text, length: 120 }
      pad: { type: text, length: 60 }`,
);

/** Calls on a MariaDB server, beside sysbench with as many threads as connections. */
export async function mysqlCalls() {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const server = opened.use(await mariadbServer());
  const { host, port, user, password } = server.target;
  // Passwords are not passed as arguments.
  const options = join(folder, 'sysbench.conf');
  writeFileSync(
    options,
    [
      `mysql-host=${host}`,
      `mysql-port=${port}`,
      `mysql-user=${user}`,
      `mysql-password=${password ?? ''}`,
      `mysql-db=${server.peerDatabase}`,
      `table-size=${rows}`,
      `threads=${connections}`,
      `time=${seconds}`,
      'rand-type=uniform',
      'auto_inc=off',
      '',
    ].join('\n'),
    { mode: 0o600 },
  );
  const sysbench = (script: string): CallCase['peer'] => ({
    name: 'sysbench',
    package: 'sysbench',
    programs: ['sysbench'],
    async run(program) {
      const call = (command: string) => runPeer(program, [`--config-file=${options}`, script, command], process.env);
      await server.client.query(`DROP TABLE IF EXISTS ${server.peerDatabase}.sbtest1`);
      await call('prepare');
      const { stdout, cpuMs } = await call('run');
      const [, done, perSecond] = /transactions: +(\d+) +\(([\d.]+) per sec/.exec(stdout) ?? [];
      if (!(Number(perSecond) > 0)) throw new Error(`sysbench said: ${stdout}`);
      return { perSecond: Number(perSecond), cpuUs: cpuMs === null ? null : (cpuMs * 1_000) / Number(done) };
    },
  });
  const caseOf = (name: string, title: string, yaml: string, script: string): CallCase => ({
    name,
    title: `${server.product.split(' ')[0]}, ${title}, ${connections} connections`,
    run: (trials, changes = []) =>
      server.run(yaml, [
        `workload.connections=${connections}`,
        `measure.repeats=${trials}`,
        `measure.until.seconds=${seconds}`,
        ...changes,
      ]),
    peer: sysbench(script),
  });
  const cases = [
    caseOf('mysql-points', 'point selects', pointSelect, 'oltp_point_select'),
    caseOf('mysql-read-write', 'OLTP read-write', readWrite, 'oltp_read_write'),
  ];
  const kept = opened.move();
  return { engine: 'mysql', product: server.product, cases, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
