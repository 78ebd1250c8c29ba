import { describe, expect, it } from 'vitest';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { type FixtureOptions, fixtureJournal, readRun } from '../run-model/run.fixture.ts';

type Change = (record: JournalRecord) => JournalRecord;

/** Titles of the caveats of a modified run. */
const titles = (change: Change, options: FixtureOptions = { connections: [1] }): readonly string[] =>
  readRun(Array.from(fixtureJournal(options), change)).caveats.map(({ title }) => title);

const onResult =
  (change: (result: TrialResult) => Partial<TrialResult>, target = 'PostgreSQL'): Change =>
  (record) =>
    record.record === 'result' && record.result.target === target
      ? { ...record, result: { ...record.result, ...change(record.result) } }
      : record;

const onFingerprint =
  (change: (target: string) => Partial<Fingerprint>): Change =>
  (record) => {
    if (record.record !== 'target' || record.target.fingerprint === null) return record;
    const { name, fingerprint } = record.target;
    return { ...record, target: { ...record.target, fingerprint: { ...fingerprint, ...change(name) } } };
  };

const unchanged = titles((record) => record);

describe('caveats', () => {
  it.each<[string, Change]>([
    ['Client-bound', onResult(() => ({ clientSaturated: true }))],
    ['Little’s law is missed', onResult(() => ({ littleError: -0.08 }))],
    [
      'Rows differ from what was acknowledged',
      onResult(() => ({
        status: 'failed',
        verification: { outcome: 'mismatch', expectedRows: 5, foundRows: 4, note: '' },
      })),
    ],
    ['Trials without a result', onResult(() => ({ status: 'failed' }))],
    ['Did not finish in time', onResult(() => ({ status: 'didNotFinish' }))],
    ['Calls failed', onResult(({ totals }) => ({ totals: { ...totals, errors: { deadlock: 3 } } }))],
    ['Teardown failed', onResult(() => ({ teardownErrors: ['teardown.end: no such view'] }))],
    ['High variability', onResult(({ repeat, elapsedMs }) => ({ elapsedMs: elapsedMs * repeat }))],
    ['Smaller calls than set', onResult(({ totals }) => ({ totals: { ...totals, rows: totals.rows / 2 } }))],
    ['Processes did not run at the same time', onResult(({ elapsedMs }) => ({ apartMs: elapsedMs * 0.2 }))],
    ['Very short trial', onResult(() => ({ elapsedMs: 40 }))],
    [
      'Close to the ceiling of the harness',
      (record) =>
        record.record === 'calibration'
          ? { ...record, entries: record.entries.map((entry) => ({ ...entry, perSecond: 18_000 })) }
          : record,
    ],
    ['An emulator, not the product', onFingerprint(() => ({ emulator: 'a mirror' }))],
    ['Unequal durability', onFingerprint((name) => ({ durability: { fsync: name } }))],
  ])('says "%s" when it is so, and only then', (title, change) => {
    expect(unchanged).not.toContain(title);
    expect(titles(change)).toContain(title);
  });

  it('says of a run that ended itself that it is not complete, and not that it was cancelled', () => {
    const records = Array.from(fixtureJournal({ connections: [1] }));
    const last = records.findLastIndex(({ record }) => record === 'result');
    const at = '2026-11-20T08:10:00.000Z';
    const ends: readonly JournalRecord[] = [
      { record: 'halted', at, reason: 'The budget is used up.' },
      { record: 'end', at, status: 'cancelled' },
    ];
    const found = readRun([...records.slice(0, last), ...ends]).caveats.map(({ title }) => title);
    expect(found).toEqual(expect.arrayContaining(['The run ended itself', 'The run is not complete']));
    expect(found).not.toContain('The run was cancelled');
  });

  it('calls trials that the user cancelled no error, and counts them in plain words', () => {
    const lost = (change: Change) =>
      readRun(Array.from(fixtureJournal({ connections: [1] }), change)).caveats.filter(
        ({ title }) => title === 'Trials without a result',
      );
    const cancelled = lost(onResult(() => ({ status: 'cancelled' })));
    expect(new Set(cancelled.map(({ severity }) => severity))).toEqual(new Set(['warning']));
    expect(lost(onResult(() => ({ status: 'failed' })))[0]!.severity).toBe('error');
    const [first] = lost(onResult(({ repeat }) => (repeat === 1 ? { status: 'cancelled' } : {})));
    expect(first!.text).toMatch(/^1 of \d+ trials has no result and is left out\./);
  });

  it('offers to resume a run only if a trial is missing', () => {
    const whole = [...fixtureJournal({ connections: [1] })];
    const ended = ['The end of the run is missing', 'The run was interrupted'];
    const said = (records: readonly JournalRecord[]) =>
      readRun(records).caveats.filter(({ title }) => ended.includes(title));
    const lastResult = whole.findLastIndex(({ record }) => record === 'result');
    const away = { kind: 'serverGone', code: null, message: 'It is gone.', hint: null, retryable: false } as const;
    expect(said(whole)).toEqual([]);
    expect(said(whole.slice(0, -1))).toMatchObject([
      { title: ended[0], text: expect.stringContaining('Nothing is left to resume') as string },
    ]);
    const open = { title: ended[1], text: expect.stringContaining('You can resume the run') as string };
    expect(said(whole.slice(0, lastResult))).toMatchObject([open]);
    const failed = onResult(() => ({ status: 'failed', error: away, phaseMs: { measure: 1 } }));
    expect(said(whole.slice(0, -1).map(failed))).toMatchObject([open]);
  });

  it('applies to in-process engines as well, and never to a reference', () => {
    expect(titles(onResult(() => ({ clientSaturated: true }), 'SQLite'))).toContain('Client-bound');
    expect(titles(onResult(() => ({ clientSaturated: true }), 'No-op engine'))).not.toContain('Client-bound');
  });

  it('reports that an in-process engine is compared with a server', () => {
    expect(unchanged).toContain('In-process engine against servers');
  });

  it('reports that calls do not divide evenly among the connections, only with a fixed number of rows and at a server', () => {
    const title = 'Calls do not divide evenly';
    const calls = (count: number, target?: string) =>
      titles(
        onResult(({ totals }) => ({ totals: { ...totals, calls: count } }), target),
        { connections: [4] },
      );
    expect(calls(10)).toContain(title);
    expect(calls(12)).not.toContain(title);
    expect(calls(401)).not.toContain(title);
    expect(calls(10, 'SQLite')).not.toContain(title);
    expect(calls(10, 'No-op engine')).not.toContain(title);
  });

  it('is as silent about two repeats as the finding about their scatter', () => {
    const apart = onResult(({ repeat, elapsedMs }) => ({ elapsedMs: elapsedMs * repeat }));
    expect(titles(apart, { connections: [1], repeats: 2 })).not.toContain('High variability');
  });

  it('minds one and two repeats', () => {
    expect(titles((record) => record, { connections: [1], repeats: 1 })).toContain('Single trials');
    expect(titles((record) => record, { connections: [1], repeats: 2 })).toContain('Two repeats');
  });
});
