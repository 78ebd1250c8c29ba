import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { requestEnd } from './end-now.ts';

/**
 * Measures the immediate end (`dyno stop --all`, *End all runs now*): runs of the command line on PostgreSQL and
 * MariaDB at the same time, with eight busy sessions each. It reports the time from the request to the end of each
 * run's last process, and the number of Dyno's sessions that the servers then have.
 */
const cli = fileURLToPath(new URL('../../cli.ts', import.meta.url));
const passwordVariable = 'DYNO_BENCH_PASSWORD';
const rounds = 5;
const loads = {
  'eight sessions insert': { workload: '{ operation: insert, method: multiRow, connections: 8, processes: 4 }' },
  'eight sessions wait in a statement of a minute': {
    workload: '{ operation: statement, method: bind, connections: 8, processes: 4 }',
    statements: '{ wait: { text: { postgres: SELECT pg_sleep(60), mysql: SELECT SLEEP(60) }, isRead: true } }',
  },
};

await using servers = new AsyncDisposableStack();
const [pgServer, mariadbServer] = [
  servers.use(await startTestServer(postgres)),
  servers.use(await startTestServer(mariadb)),
];
const pgAdmin = new pg.Client({ ...pgServer.admin });
await pgAdmin.connect();
const { host, port, user, password } = mariadbServer.admin as Record<string, string>;
const mariadbAdmin = await mysql.createConnection({
  ...{ host: String(host), port: Number(port), user: String(user) },
  ...(password && { password }),
});

/** Client sessions at each server, without the sessions that count them. */
async function sessions(): Promise<Record<'postgres' | 'mysql', number>> {
  const { rows } = await pgAdmin.query<{ n: string }>(
    "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name LIKE 'dyno-%'",
  );
  const [[found]] = await mariadbAdmin.query<mysql.RowDataPacket[]>(
    "SELECT count(*) AS n FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND command <> 'Daemon'",
  );
  return { postgres: Number(rows[0]?.n), mysql: Number(found?.n) };
}

/** Waits until both servers have the sessions of a load. */
async function busy(running: readonly ChildProcess[]): Promise<void> {
  for (;;) {
    if (running.some(({ exitCode }) => exitCode !== null)) throw new Error('A run has ended by itself.');
    const { postgres: one, mysql: other } = await sessions();
    if (one >= 9 && other >= 9) return;
    await sleep(100);
  }
}

console.log('| load | runs | ended after, ms | sessions left at PostgreSQL, MariaDB |\n|---|---|---|---|');
for (const [load, parts] of Object.entries(loads)) {
  const tookMs: number[] = [];
  const left: string[] = [];
  for (let round = 0; round < rounds; round++) {
    await using test = testHome();
    const running = Object.entries({ postgres: pgServer.raw, mysql: mariadbServer.raw }).map(([engine, raw]) => {
      const file = join(test.home.root, `${engine}.dyno.yaml`);
      const target = JSON.stringify({ name: engine, engine, ...raw, password: `\${env:${passwordVariable}}` });
      const measure = '{ repeats: 3, until: { seconds: 60 }, warmupSeconds: 0 }';
      writeFileSync(file, experimentYaml({ rows: '100000', ...parts, targets: `[${target}]`, measure }));
      return spawn(process.execPath, [cli, 'run', file, '--trust'], {
        env: { ...process.env, DYNO_HOME: test.home.root, [passwordVariable]: String(raw.password) },
        stdio: 'ignore',
      });
    });
    await busy(running);
    await sleep(1_000);
    const exits = running.map((child) => once(child, 'exit'));
    const asked = performance.now();
    requestEnd(test.home);
    for (const exit of exits) await exit.then(() => tookMs.push(performance.now() - asked));
    const { postgres: one, mysql: other } = await sessions();
    left.push(`${one}, ${other}`);
  }
  const [least, most] = [Math.min(...tookMs), Math.max(...tookMs)].map((ms) => ms.toFixed(0));
  console.log(`| ${load} | ${2 * rounds} | ${least} to ${most} | ${[...new Set(left)].join('; ')} |`);
}
await pgAdmin.end();
await mariadbAdmin.end();
