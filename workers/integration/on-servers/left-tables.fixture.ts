import { expect, test, vi } from 'vitest';
import type { Connection } from '#model/connections.ts';
import { keyIndex, tableColumns } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { cleanTarget } from '#orchestrator/check/clean-target.ts';
import { newRun } from '#orchestrator/run/run.fixture.ts';
import { leastExperiment } from '#orchestrator/try/least-experiment.ts';
import { createControl } from '#orchestrator/worker/control.ts';
import { catalogEntry } from '#orchestrator/worker/targets.ts';
import type { Home } from '#platform/paths.ts';
import type { OnServer } from './server.fixture.ts';

/** Engines whose servers know who their sessions are, for every user. */
const tells = ['postgres', 'mysql', 'mongodb'];

/** Engines that insert documents, which they do not prepare. */
const keepsDocuments = ['mongodb', 'ravendb'];

const signal = new AbortController().signal;

/** A control connection as a run with this tag has it; `connections`: those of the home that it may use. */
export const controlOf = (
  home: Home,
  target: string,
  engine: string,
  tag: string,
  connections: readonly Connection[] = [],
) =>
  createControl({
    planned: { name: target, engine, index: 0 },
    descriptor: catalogEntry(engine).descriptor,
    experiment: leastExperiment(target),
    home,
    variables: {},
    reachable: { connections, passwords: {} },
    tag: `dyno-${tag}`,
    onActivity: () => {},
    onProgress: () => {},
  });

const dataset: Dataset = { rows: 1, seed: 1, key: 'id', columns: { id: { type: 'sequence', start: 1, nulls: 0 } } };

/** The table that a run of this tag makes for its first trial. */
export const tableOf = (tag: string) => ({
  name: `dyno_${tag}_1`,
  columns: tableColumns(dataset),
  key: keyIndex(dataset),
  options: {},
});

const isNoneOrUnknown = (left: unknown): boolean => left === 0 || left === null;

/** Tests the tables that Dyno leaves at a server. */
export function testLeftTables(server: OnServer): void {
  test('no session is left after a run; tables of dead runs are found and dropped, those of living ones stay', async () => {
    const { engine, target, home } = server;
    const { run, records } = await newRun(
      { home },
      {
        rows: '50',
        workload: `{ operation: insert, method: ${keepsDocuments.includes(engine) ? 'bulk' : 'prepared'} }`,
        targets: `[${target}]`,
        measure: '{ repeats: 1 }',
      },
    );
    await run.start();
    const left = records.filter(({ record }) => record === 'sessions');
    if (engine === 'sqlite') expect(left).toEqual([]);
    else expect(left).toMatchObject([{ target, left: tells.includes(engine) ? 0 : expect.toSatisfy(isNoneOrUnknown) }]);

    const options = { home, target: { target, engine }, signal, onActivity: () => {} };
    await using living = controlOf(home, target, engine, '0000beef');
    await using dead = controlOf(home, target, engine, '0000dead');
    for (const [control, tag] of [
      [living, '0000beef'],
      [dead, '0000dead'],
    ] as const) {
      await control.connect(signal);
      await control.ask({ call: 'prepareSchema', table: tableOf(tag) }, signal);
    }
    // RavenDB's mark is there at once; collections come with their first document.
    await dead[Symbol.asyncDispose]();
    const isKnown = tells.includes(engine);
    const { tables, dropped } = await cleanTarget({ ...options, drops: true });
    expect(tables).toEqual([
      {
        name: 'dyno_0000beef_1',
        run: '0000beef',
        inUse: isKnown ? expect.stringContaining('of its run') : expect.toSatisfy(() => true),
      },
      { name: 'dyno_0000dead_1', run: '0000dead', inUse: expect.toSatisfy(() => true) },
    ]);
    if (isKnown) expect(dropped).toEqual(['dyno_0000dead_1']);
    await living[Symbol.asyncDispose]();
    await vi.waitFor(async () => {
      expect((await cleanTarget({ ...options, drops: true })).tables).toEqual([]);
    }, 20_000);
  });
}
