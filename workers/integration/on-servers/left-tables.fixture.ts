import { expect, test, vi } from 'vitest';
import { keyIndex, tableColumns } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { cleanTarget } from '#orchestrator/check/clean-target.ts';
import { holdTables } from '#orchestrator/run/leftovers.ts';
import { newRun } from '#orchestrator/run/run.fixture.ts';
import { createControl } from '#orchestrator/worker/control.ts';
import type { Home } from '#platform/paths.ts';
import { openGate, type TrustedTarget } from '#workspace/trust/gate.ts';
import type { OnServer } from './server.fixture.ts';

/** Engines whose servers report the owner of their sessions to every user. */
const tells = ['postgres', 'mysql', 'mongodb'];

/** Engines that insert documents without preparing. */
const keepsDocuments = ['mongodb', 'ravendb'];

const signal = new AbortController().signal;

/** A control connection like that of a run with this tag. */
export const controlOf = (home: Home, target: TrustedTarget, tag: string) =>
  createControl({ target, home, variables: {}, tag: `dyno-${tag}`, onActivity: () => {}, onProgress: () => {} });

const dataset: Dataset = { rows: 1, seed: 1, key: 'id', columns: { id: { type: 'sequence', start: 1, nulls: 0 } } };

/** The table of the first trial of a run with this tag. */
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

    const trusted = openGate(home).named(target)!;
    const options = { home, target: trusted, signal, onActivity: () => {} };
    await using living = controlOf(home, trusted, '0000beef');
    await using dead = controlOf(home, trusted, '0000dead');
    for (const [control, tag] of [
      [living, '0000beef'],
      [dead, '0000dead'],
    ] as const) {
      await control.connect(signal);
      await control.ask({ call: 'prepareSchema', table: tableOf(tag) }, signal);
    }
    // RavenDB's mark exists immediately; collections appear with their first document.
    await dead[Symbol.asyncDispose]();
    const isKnown = tells.includes(engine);
    const dropAll = () => cleanTarget({ ...options, drops: true });
    const { tables, dropped } = await dropAll();
    expect(tables).toMatchObject([
      { name: 'dyno_0000beef_1', run: '0000beef', isUnsure: !isKnown },
      { name: 'dyno_0000dead_1', run: '0000dead', isUnsure: !isKnown },
    ]);
    if (isKnown) expect(tables[0]?.inUse).toContain('of its run');
    // If the server does not report tables in use, and this home created neither of them, both stay.
    expect(dropped).toEqual(isKnown ? ['dyno_0000dead_1'] : []);
    await living[Symbol.asyncDispose]();
    if (!isKnown) {
      using held = holdTables(home, '0000dead');
      held.note((await dead.connect(signal)).place);
      await dead[Symbol.asyncDispose]();
      expect((await dropAll()).dropped).toEqual([]);
      held[Symbol.dispose]();
      expect((await dropAll()).dropped).toEqual(['dyno_0000dead_1']);
      expect((await cleanTarget({ ...options, drops: true, dropsUnsure: true })).dropped).toEqual(['dyno_0000beef_1']);
    }
    await vi.waitFor(async () => {
      expect((await dropAll()).tables).toEqual([]);
    }, 20_000);
  });
}
