import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ratesByCell } from '#planning/rates/rates-by-cell.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { ClientHealth, ProcessTime, TrialResult } from '#protocol/measurement.ts';
import { compareMeans } from '#stats/intervals/compare-means.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { type Findings, findFindings } from './find-findings.ts';
import { rules } from './registry.ts';
import { runFacts } from './shared/facts.ts';
import type { Shown } from './shared/finding.ts';
import { type SmallCell, smallRun } from './shared/small-run.fixture.ts';

/** Runs of made-up numbers, of which nobody checked that they can be true together. */

const share = fc.oneof(
  fc.constantFrom(0, 0.01, 0.5, 0.9, 1),
  fc.nat(1_000).map((of) => of / 1_000),
);
const ms = (max: number) => fc.oneof(fc.constantFrom(0, 1, max), fc.double({ min: 0, max, noNaN: true }));

const processTime = (wallMs: number) =>
  fc
    .record({
      generate: share,
      encode: share,
      decode: share,
      other: share,
      wait: share,
      idle: share,
      adds: fc.boolean(),
    })
    .map(({ adds, ...parts }): ProcessTime => {
      const sum = Object.values(parts).reduce((total, one) => total + one, 0) || 1;
      const part = (of: keyof typeof parts) => (adds ? parts[of] / sum : parts[of]) * wallMs;
      return {
        wallMs,
        generateMs: part('generate'),
        encodeMs: part('encode'),
        decodeMs: part('decode'),
        engineMs: 0,
        otherMs: part('other'),
        waitMs: part('wait'),
        idleMs: part('idle'),
      };
    });

const callTime = (calls: number, wallMs: number) =>
  fc
    .record({
      send: share,
      wait: share,
      receive: share,
      gap: share,
      // More than one: the parts add up to more than one connection had.
      whole: fc.constantFrom(0.05, 0.9, 1, 3),
      trips: fc.constantFrom(0.1, 1, 1, 3),
    })
    .map(({ send, wait, receive, gap, whole, trips }) => {
      const each = (whole * wallMs) / (send + wait + receive || 1);
      return {
        calls,
        seen: calls,
        sendMs: send * each,
        waitMs: wait * each,
        receiveMs: receive * each,
        gapMs: gap * receive * each,
        roundTrips: trips * calls,
      };
    });

const probeInfo = {
  cpu_ms: { unit: 'ms', label: 'CPU', class: 'cpu' },
  log_ms: { unit: 'ms', label: 'Log', class: 'log' },
  latch_ms: { unit: 'ms', label: 'Latches', class: 'latch' },
  'wait:Lock*': { unit: 'count', label: 'Locks', class: 'lock' },
  flushes: { unit: 'count', label: 'Flushes', role: 'logFlushes' },
  executions: { unit: 'count', label: 'Executions', role: 'executions' },
  parses: { unit: 'count', label: 'Parses', role: 'parses' },
  plans: { unit: 'count', label: 'Plans made', role: 'hardParses' },
  hits: { unit: 'count', label: 'Pages found', role: 'pagesHit' },
  reads: { unit: 'count', label: 'Pages read', role: 'pagesRead' },
  read: { unit: 'bytes', label: 'Bytes read', role: 'bytesRead' },
  checkpoints: { unit: 'count', label: 'Checkpoints', role: 'checkpoints' },
} as const;
const counters = Object.keys(probeInfo).filter((name) => !name.startsWith('wait:'));

const trial = fc
  .record({
    rate: fc.constantFrom(100, 1_000, 20_000),
    seconds: fc.integer({ min: 2, max: 26 }),
    noise: fc.array(fc.double({ min: 0.7, max: 1.3, noNaN: true }), { minLength: 26, maxLength: 26 }),
    trend: fc.constantFrom(1, 1, 0.97, 1.03),
  })
  .chain(({ rate, seconds, noise, trend }) => {
    const perSecond = Array.from({ length: seconds }, (_, i) => Math.round(rate * noise[i]! * trend ** i));
    const calls = perSecond.reduce((sum, one) => sum + one, 0);
    const wallMs = seconds * 1_000;
    const health = fc.record({
      eventLoopUtilisation: share,
      gcMs: fc.constantFrom(0, 20, 500, wallMs),
      inCallsMs: ms(wallMs * 16),
      wireSentBytes: fc.constantFrom(null, calls * 10, calls * 9_000),
      processTime: processTime(wallMs),
      callTime: fc.oneof(
        { weight: 1, arbitrary: fc.constant(null) },
        { weight: 9, arbitrary: callTime(calls, wallMs) },
      ),
      pauses: fc.record({
        gcPauses: fc.nat(1_000),
        gcLongestMs: fc.constantFrom(0, 15, 500),
        loopLongestMs: ms(500),
        noProcessorMs: fc.oneof(fc.constant(null), ms(wallMs * 1.5)),
      }),
      slowest: fc.record({
        calls: fc.constantFrom(100, 1_000),
        ms: fc.constantFrom(1_000, 10_000),
        pausedMs: ms(2_000),
        delayedByPauses: fc.constantFrom(0, 60, 100, 500),
        pauses: fc.nat(100),
      }),
    } satisfies Partial<Record<keyof ClientHealth, fc.Arbitrary<unknown>>>);
    const service = fc
      .array(fc.tuple(fc.constantFrom(0.1, 1, 5, 41, 200, 1_000), fc.constantFrom(0.001, 0.05, 0.5, 1)), {
        minLength: 1,
        maxLength: 3,
      })
      .map((modes) => modes.map(([each, of]) => [each, Math.max(1, Math.round(calls * of))] as const));
    const samples = fc
      .tuple(fc.array(ms(5_000), { minLength: counters.length, maxLength: counters.length }), fc.nat(20), fc.boolean())
      .map(([growth, waiting, are]) =>
        are
          ? Array.from({ length: seconds + 1 }, (_, second) => ({
              counters: Object.fromEntries(counters.map((name, i) => [name, 7 + second * growth[i]!])),
              gauges: { 'wait:Lock:tuple': waiting },
            }))
          : [],
      );
    const more = fc.record({
      clientSaturated: fc.boolean(),
      littleError: fc.oneof(fc.constant(null), fc.double({ min: -1, max: 1, noNaN: true })),
      roundTrip: fc.record({
        // Of the time between two calls; more of it than there is, too.
        cheapestMs: fc.constantFrom(0.05, 0.5, 0.8, 5).map((of) => (of * wallMs) / calls),
        handshakes: fc.constantFrom(
          null,
          { sameMachine: true, shortestMs: 0.03 },
          { sameMachine: false, shortestMs: (0.7 * wallMs) / calls },
        ),
      }),
    });
    const errors = fc.constantFrom({}, { deadlock: 3 }, { timeout: calls });
    return fc.record({ perSecond: fc.constant(perSecond), service, health, samples, more, errors });
  });

const levels = fc.constantFrom<readonly NonNullable<SmallCell['levels']>[]>(
  [{}],
  [{ connections: 1 }, { connections: 4 }, { connections: 16 }],
  [{ connections: 1 }, { connections: 2 }, { connections: 4 }, { connections: 8 }, { connections: 16 }],
  [{ rowsPerCall: 1 }, { rowsPerCall: 10 }],
  [{ callsPerCommit: 1 }, { callsPerCommit: 10 }],
  [{ processes: 1 }, { processes: 2 }],
  [{ method: 'bind' }, { method: 'prepared' }],
);

const runs = fc
  .record({
    levels,
    repeats: fc.integer({ min: 1, max: 3 }),
    operation: fc.constantFrom('insert' as const, 'readByKey' as const, 'readRange' as const, 'update' as const),
  })
  .chain(({ levels: all, repeats, operation }) =>
    fc.tuple(...all.map(() => fc.array(trial, { minLength: repeats, maxLength: repeats }))).map((cells) =>
      smallRun({
        cells: cells.map((trials, i) => ({ levels: all[i]!, settings: { operation }, trials }) as SmallCell),
        probeInfo,
      }),
    ),
  );

/** Shares are part of something; what these rules tell is how much a rate changes or scatters, which has no bounds. */
const ofChange: readonly string[] = ['notSteady', 'highVariability', 'decaysWithSize', 'checkpointDips'];

function mistakesInWords(id: string, text: string): readonly string[] {
  const numbers = [...text.matchAll(/(\d[\d,]*\.?\d*)[\s\u00a0\u202f]%/g)].map(([, one]) =>
    Number(one!.replaceAll(',', '')),
  );
  return [
    ...(/NaN|Infinity|undefined|^The rule .* failed/.test(text) ? [`no number, ${id}: ${text}`] : []),
    ...(ofChange.includes(id) ? [] : numbers.flatMap((one) => (one > 100 ? [`${one} %, ${id}: ${text}`] : []))),
  ];
}

/** What is wrong with the numbers of a finding by themselves. */
function mistakesOf(model: RunModel, id: string, { claim, evidence, explains }: Shown): readonly string[] {
  const rates = [...ratesByCell(model.trials).values()];
  const ratios = rates.flatMap((a) => rates.flatMap((b) => compareMeans(a, b)?.ratio.value ?? []));
  const cells = model.cells.flatMap(({ rowsPerSecond, callsPerSecond }) => [
    rowsPerSecond?.value,
    callsPerSecond?.value,
  ]);
  const isOneOf = (all: readonly (number | undefined)[], value: number) =>
    all.some((one) => one !== undefined && Math.abs(one - value) <= 1e-9 * Math.abs(value));
  return [
    ...(explains >= 0 && explains <= 1 ? [] : [`explains ${explains}, ${id}: ${claim}`]),
    ...evidence.flatMap(({ label, value, unit, text, link }) => {
      const where = `${id}, ${label} ${text}: ${claim}`;
      if (!Number.isFinite(value) || mistakesInWords(id, text).length > 0) return [`no number, ${where}`];
      if (unit === 'share' && !ofChange.includes(id) && !(value >= 0 && value <= 1)) return [`no share, ${where}`];
      if (['ms', 'bytes', ''].includes(unit) && value < 0) return [`negative, ${where}`];
      if (link?.panel !== 'results') return [];
      // The table of results has these numbers.
      if (unit === 'ratio' && !isOneOf(ratios, value)) return [`no comparison, ${where}`];
      if (unit.endsWith('/s') && !isOneOf(cells, value)) return [`not in the table, ${where}`];
      return [];
    }),
  ];
}

/** The part of the time of a cell's only connection that its finding claims; `calls`: each ms. */
const partOfConnection = (id: string, one: Shown, callsPerMs: number): number => {
  const of = (label: string) => one.evidence.find((evidence) => evidence.label === label)?.value ?? 0;
  switch (id) {
    case 'clientSaturated':
      return of('Client processes busy');
    case 'roundTripBound':
      return of('Round trips’ part of a call') * of('A call') * callsPerMs;
    default:
      return 0;
  }
};

function contradictionsOf(model: RunModel, { shown }: Findings): readonly string[] {
  const claims = shown.flatMap(({ rule: { id }, lead, also }) => [lead, ...also].map((one) => ({ id, one })));
  return model.cells.flatMap((cell) => {
    const own = claims.filter(({ one }) => one.cell !== null && keyOf(one.cell) === keyOf(cell));
    const settings = model.plan.variants.find(({ id }) => id === cell.variant)!.settings;
    const results = model.trials.flatMap(({ trial, result }) => (keyOf(trial) === keyOf(cell) ? (result ?? []) : []));
    const total = (of: (result: TrialResult) => number) => results.reduce((all, result) => all + of(result), 0);
    const callsPerMs = total(({ totals }) => totals.calls) / total(({ elapsedMs }) => elapsedMs);
    const sum = own.reduce((all, { id, one }) => all + partOfConnection(id, one, callsPerMs), 0);
    // Parts of the server's own time, each by its label.
    const ofServer = new Map(
      own
        .flatMap(({ one }) => one.evidence.filter(({ label }) => label.endsWith('of the server’s own time')))
        .map(({ label, value }) => [label, value]),
    );
    const server = [...ofServer.values()].reduce((all, one) => all + one, 0);
    const claimed = own.map(({ one }) => one.claim).join(' | ');
    return [
      ...(settings.connections === 1 && sum > 1.2 ? [`parts of one connection’s time are ${sum}: ${claimed}`] : []),
      ...(server > 1.001 ? [`parts of the server’s own time are ${server}: ${claimed}`] : []),
    ];
  });
}

/** Everything that is wrong with what the rules say of a run; none expected. */
function defectsOf(model: RunModel): readonly string[] {
  const found = findFindings(runFacts(model), rules);
  const unshown = [...found.unshown, ...found.shown.map(({ rule, unshown: outcomes }) => ({ rule, outcomes }))];
  return [
    ...unshown.flatMap(({ rule: { id }, outcomes }) => outcomes.flatMap(({ why }) => mistakesInWords(id, why))),
    ...found.shown.flatMap(({ rule: { id }, lead, also }) =>
      [lead, ...also].flatMap((one) => [...mistakesInWords(id, one.claim), ...mistakesOf(model, id, one)]),
    ),
    ...contradictionsOf(model, found),
  ];
}

it('claim nothing of any numbers that contradicts itself, the report, or another finding', () => {
  fc.assert(
    fc.property(runs, (model) => {
      expect(defectsOf(model)).toEqual([]);
    }),
    { numRuns: 150, seed: 5 },
  );
}, 120_000);
