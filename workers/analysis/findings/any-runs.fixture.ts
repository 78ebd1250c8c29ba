import fc from 'fast-check';
import type { ForeignLock } from '#engine-api/probe.ts';
import type { PlanStep } from '#engine-api/query-plan.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { CallCounts, MachineUse, PhaseHealth, ProcessTime, StatementCounts } from '#protocol/measurement.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';
import { fingerprintOf, timesOf } from '../run-model/journal-parts.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { planned, step } from '../server/query-plans.fixture.ts';
import { everything, madeRun } from './shared/findings.fixture.ts';
import { type SmallCell, type SmallRun, type SmallTrial, smallRun } from './shared/small-run.fixture.ts';

/** Runs of made-up numbers, only for tests. The numbers of a run may contradict each other. */

const share = fc.oneof(
  fc.constantFrom(0, 0.01, 0.5, 0.9, 1),
  fc.nat(1_000).map((of) => of / 1_000),
);
const ms = (max: number) => fc.oneof(fc.constantFrom(0, 1, max), fc.double({ min: 0, max, noNaN: true }));
/** Null at random. */
const mayLack = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: one });

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
      wait: fc.oneof(share, fc.constant(1)),
      receive: share,
      gap: share,
      // Above one: the parts exceed the time of one connection.
      whole: fc.constantFrom(0.9, 0.9, 1, 0.05, 3),
      trips: fc.constantFrom(1, 1, 1, 3, 0.1, 40),
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

/** The machine has two processors. With `adds`, the parts of their use add up to the whole. */
const machine = (wallMs: number) =>
  fc
    .record({
      adds: fc.boolean(),
      busy: share,
      steal: mayLack(share),
      pressure: mayLack(share),
      throttled: mayLack(share),
      limitCores: fc.constantFrom(null, 0.5, 4),
      frequencyMhz: fc.constantFrom(null, 2_000),
      dyno: share,
      managed: share,
      others: fc.array(share, { maxLength: 3 }),
      isTold: fc.boolean(),
    })
    .map((made): MachineUse => {
      const cores = 2;
      const all = wallMs * cores;
      const busyMs = made.busy * all;
      const parts = made.dyno + made.managed + made.others.reduce((sum, one) => sum + one, 0) || 1;
      const partMs = (part: number) => (made.adds ? (part / parts) * busyMs : part * all);
      const stealMs = made.steal && (made.adds ? made.steal * (all - busyMs) : made.steal * all);
      return {
        wallMs,
        cores,
        busyMs,
        stealMs,
        pressureMs: made.pressure && made.pressure * wallMs,
        throttledMs: made.throttled && made.throttled * all,
        limitCores: made.limitCores,
        frequencyMhz: made.frequencyMhz,
        calculationUs: 200 + 100 * made.busy,
        dynoMs: made.isTold ? partMs(made.dyno) : null,
        managedServersMs: made.isTold ? partMs(made.managed) : null,
        others: made.isTold
          ? made.others
              .map((one, i) => ({ name: `program ${i}`, processes: 1, pid: 100 + i, cpuMs: partMs(one) }))
              .toSorted((a, b) => b.cpuMs - a.cpuMs)
          : null,
      };
    });

const probeInfo = {
  cpu_ms: { unit: 'ms', label: 'CPU', class: 'cpu' },
  log_ms: { unit: 'ms', label: 'Log', class: 'log' },
  latch_ms: { unit: 'ms', label: 'Latches', class: 'latch' },
  running: { unit: 'count', label: 'Running', class: 'cpu' },
  'wait:Lock*': { unit: 'count', label: 'Locks', class: 'lock' },
  flushes: { unit: 'count', label: 'Flushes', role: 'logFlushes' },
  executions: { unit: 'count', label: 'Executions', role: 'executions' },
  parses: { unit: 'count', label: 'Parses', role: 'parses' },
  plans: { unit: 'count', label: 'Plans made', role: 'hardParses' },
  hits: { unit: 'count', label: 'Pages found', role: 'pagesHit' },
  reads: { unit: 'count', label: 'Pages read', role: 'pagesRead' },
  read: { unit: 'bytes', label: 'Bytes read', role: 'bytesRead' },
  examined: { unit: 'count', label: 'Rows read', role: 'rowsExamined' },
  checkpoints: { unit: 'count', label: 'Checkpoints', role: 'checkpoints' },
} as const;
const timed = ['cpu_ms', 'log_ms', 'latch_ms'];
const counted = Object.keys(probeInfo).filter((name) => !name.includes(':') && name !== 'running');
/** A dip, and a checkpoint, at regular intervals. */
const dipEvery = 8;

const holder = (i: number) => `psql · user alice · session ${i}`;
const foreignLocks = fc.array(
  fc.record({
    holder: fc.nat(2).map(holder),
    waiting: fc.constantFrom(0, 1, 4, 16),
    heldMs: mayLack(ms(1e6)),
  }),
  { maxLength: 2 },
) satisfies fc.Arbitrary<readonly ForeignLock[]>;

const samples = (seconds: number, calls: number, dips: boolean) =>
  fc
    .record({
      are: fc.constantFrom('none', 'timed', 'sampled', 'sampled'),
      growth: fc.array(
        fc.oneof(
          ms(5_000),
          fc.constantFrom(0, 1, 10, 100_000).map((perCall) => (perCall * calls) / seconds),
        ),
        { minLength: counted.length, maxLength: counted.length },
      ),
      waiting: fc.nat(20),
      running: fc.nat(4),
      sessions: fc.constantFrom(null, 0, 1, 4, 16),
      locks: mayLack(fc.array(foreignLocks, { minLength: seconds + 1, maxLength: seconds + 1 })),
    })
    .map(({ are, growth, waiting, running, sessions, locks }) => {
      if (are === 'none') return [];
      const names = counted.filter((name) => are === 'timed' || !timed.includes(name));
      return Array.from({ length: seconds + 1 }, (_, second) => ({
        counters: {
          ...Object.fromEntries(names.map((name, i) => [name, 7 + second * growth[i]!])),
          checkpoints: dips ? Math.floor(second / dipEvery) : second,
        },
        gauges: {
          ...(are === 'sampled' && { running, 'wait:Lock:tuple': waiting }),
          ...(sessions !== null && { sessions }),
        },
        ...(locks && { foreignLocks: locks[second]! }),
      }));
    });

const rowsOrNot = fc.constantFrom(null, 0, 1, 200, 100_000);
const steps = fc
  .array(
    fc.record({
      kind: fc.constantFrom('fullScan', 'fullScan', 'indexScan', 'indexSeek', 'sort', 'hash') satisfies fc.Arbitrary<
        PlanStep['kind']
      >,
      filter: fc.constantFrom(null, '(code = 5)', '(abs(code) = 5)', "(payload = 'x')", '(id = 7)'),
      estimatedRows: rowsOrNot,
      actualRows: rowsOrNot,
      examinedRows: rowsOrNot,
      loops: fc.constantFrom(null, 0, 1, 1, 20),
      sharedBy: fc.constantFrom(1, 1, 2),
      extent: fc.constantFrom('toEnd', 'toEnd', 'mayStop', 'mayRepeat') satisfies fc.Arbitrary<PlanStep['extent']>,
      spilled: fc.constantFrom(null, false, true),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((all) =>
    all.map(({ kind, spilled, ...one }, depth) =>
      kind === 'sort' || kind === 'hash'
        ? step(kind, { ...one, kind, spilled, depth, filter: null })
        : step(kind, { ...one, kind, depth, table: 'table' }),
    ),
  );
const plansOf = (names: readonly (string | null)[]) =>
  fc
    .record({
      all: fc.tuple(...names.map(() => mayLack(steps))),
      // One plan for all statements, in which each of them reads other rows.
      isShared: fc.constantFrom(true, true, false),
      rows: fc.tuple(...names.map(() => fc.constantFrom(null, 1, 1, 100_000, 100_000))),
    })
    .map(({ all, isShared, rows }) =>
      names.map((name, i): AskedPlan => {
        const own = isShared && i > 0 ? all[0]?.map((one) => ({ ...one, examinedRows: rows[i]! })) : all[i];
        return own ? planned(name, ...own) : { statement: name, plan: null, reason: 'The server gives none.' };
      }),
    );

/** The calls of a run: an operation, or these statements of the file. */
interface Work {
  readonly statements: readonly { readonly name: string; readonly kind: StatementCounts['kind'] }[];
}
const anOperation: Work = { statements: [] };

const statementCounts = ({ statements }: Work, calls: number) =>
  fc
    .tuple(
      ...statements.map(() =>
        fc.record({
          part: fc.constantFrom(0, 0.05, 0.5, 1),
          each: fc.constantFrom(0.001, 0.01, 0.1, 1, 10, 500),
          rows: fc.constantFrom(0, 1, 20),
          failing: fc.constantFrom(0, 0, 0.1),
        }),
      ),
    )
    .map((all) =>
      statements.map((own, i): StatementCounts => {
        const { part, each, rows, failing } = all[i]!;
        const made = Math.round(calls * part);
        return {
          ...own,
          calls: made,
          rows: made * rows,
          errors: {},
          service: timesOf(...(made > 0 ? [[each, made] as const] : [])),
          failed: failing > 0 ? timesOf([each * 3, Math.ceil(calls * failing)]) : null,
        };
      }),
    );

/** A trial of a cell with this usual rate and number of client processes. */
const trial = (rate: number, work: Work, processes: number) =>
  fc
    .record({
      seconds: fc.integer({ min: 2, max: 26 }),
      scatter: fc.constantFrom(0.01, 0.01, 0.3),
      noise: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 26, maxLength: 26 }),
      trend: fc.constantFrom(1, 1, 0.97, 1.03),
      repeat: fc.constantFrom(1, 1, 1.01, 0.99, 0.6),
      dips: fc.boolean(),
    })
    .chain(({ seconds, scatter, noise, trend, repeat, dips }) => {
      const perSecond = Array.from({ length: seconds }, (_, i) =>
        Math.max(
          1,
          Math.round(
            rate * repeat * (1 + scatter * noise[i]!) * trend ** i * (dips && i > 0 && i % dipEvery === 0 ? 0.4 : 1),
          ),
        ),
      );
      const calls = perSecond.reduce((sum, one) => sum + one, 0);
      const wallMs = seconds * 1_000;
      const health = fc.record({
        eventLoopUtilisation: share,
        gcMs: fc.constantFrom(0, 20, 500, wallMs),
        generateMs: fc.constantFrom(0, wallMs * 0.4, wallMs * 3),
        inCallsMs: ms(wallMs * 16),
        wireSentBytes: fc.constantFrom(null, calls * 10, calls * 9_000),
        processTime: processTime(wallMs * processes),
        callTime: mayLack(callTime(calls, wallMs)),
        pauses: fc.record({
          gcPauses: fc.nat(1_000),
          gcLongestMs: fc.constantFrom(0, 15, 500),
          loopLongestMs: ms(500),
          noProcessorMs: mayLack(ms(wallMs * 1.5)),
        }),
        slowest: fc.record({
          calls: fc.constantFrom(100, 1_000),
          ms: fc.constantFrom(1_000, 10_000),
          pausedMs: ms(2_000),
          delayedByPauses: fc.constantFrom(0, 60, 100, 500),
          pauses: fc.nat(100),
        }),
      } satisfies Partial<Record<keyof PhaseHealth, fc.Arbitrary<unknown>>>);
      const service = fc
        .array(fc.tuple(fc.constantFrom(0.1, 1, 5, 41, 200, 1_000), fc.constantFrom(0.001, 0.05, 0.5, 1)), {
          minLength: 1,
          maxLength: 3,
        })
        .map((modes) => modes.map(([each, of]) => [each, Math.max(1, Math.round(calls * of))] as const));
      const more = fc
        .record({
          clientSaturated: fc.boolean(),
          littleError: mayLack(fc.double({ min: -1, max: 1, noNaN: true })),
          roundTrip: fc.record({
            // The value is a share of the time between two calls, and may exceed it.
            cheapestMs: fc.constantFrom(0.5, 0.8, 0.05, 5).map((of) => (of * wallMs) / calls),
            handshakes: fc.constantFrom(
              null,
              { sameMachine: true, shortestMs: 0.03 },
              { sameMachine: false, shortestMs: (0.7 * wallMs) / calls },
            ),
          }),
          machine: mayLack(machine(wallMs)),
          stored: mayLack(fc.constantFrom(1e6, 1e9, 1e11)),
          statements: statementCounts(work, calls),
        })
        .map(({ machine: used, stored, statements, ...one }) => ({
          ...one,
          ...(used && { machine: used }),
          storedBytes: stored === null ? null : { tableBytes: stored, indexBytes: stored / 4 },
          ...(statements.length > 0 && { statements }),
        }));
      // Connections that end their sessions now and then, with the share of the time that this takes.
      const connecting = fc.constantFrom(null, null, null, 0.01, 0.8).map(
        (of): Pick<CallCounts, 'connecting'> =>
          of === null
            ? {}
            : {
                connecting: {
                  opened: timesOf([(of * wallMs) / 100, 100]),
                  failed: 0,
                  endMs: 0,
                  openMs: of * wallMs,
                  prepareMs: 0,
                },
              },
      );
      const lost = fc.constantFrom(0, 0.02, 0.5, 3).map((of) => of * wallMs);
      const plans = plansOf(
        work.statements.length === 0
          ? [null]
          : work.statements.filter(({ kind }) => kind === 'statement').map(({ name }) => name),
      );
      return fc
        .record({
          perSecond: fc.constant(perSecond),
          service,
          health,
          samples: samples(seconds, calls, dips),
          more,
          errors: fc.constantFrom({}, { deadlock: 3 }, { timeout: calls }, { connectionLimit: 5 }),
          lost,
          connecting,
          ended: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'failed'),
          queryPlans: mayLack(plans),
          laterPlans: mayLack(plans),
        })
        .map(({ errors, lost: lostMs, connecting: reconnects, queryPlans, laterPlans, ended, ...one }): SmallTrial => {
          const kind = 'connectionLimit' in errors ? 'connectionLimit' : 'timeout';
          return {
            ...one,
            errors,
            counts: {
              ...reconnects,
              ...(Object.keys(errors).length > 0 && lostMs > 0 && { failed: timesOf([lostMs / 10, 10]) }),
              ...('deadlock' in errors && { retries: 3, gaveUp: 1, lostMs }),
            },
            ...(queryPlans && { queryPlans }),
            ...(laterPlans && { laterPlans }),
            ...((ended === 'failed' || Object.keys(errors).length > 0) && {
              status: ended,
              error: { kind, code: null, message: 'It was too much.', hint: null, retryable: false },
            }),
          };
        });
    });

const cellsOf = (
  levels: readonly NonNullable<SmallCell['levels']>[],
  settings: Partial<Settings>,
  work: Work,
): fc.Arbitrary<readonly SmallCell[]> =>
  fc
    .record({
      repeats: fc.integer({ min: 1, max: 3 }),
      rates: fc.array(fc.constantFrom(100, 1_000, 20_000), { minLength: levels.length, maxLength: levels.length }),
    })
    .chain(({ repeats, rates }) =>
      fc.tuple(
        ...rates.map((rate, i) =>
          fc.array(trial(rate, work, Number(levels[i]!.processes ?? 1)), { minLength: repeats, maxLength: repeats }),
        ),
      ),
    )
    .map((cells) => cells.map((trials, i) => ({ levels: levels[i]!, settings, trials })));

const columns = {
  id: { type: 'sequence' },
  payload: { type: 'text', length: 20 },
  code: { type: 'integer' },
  amount: { type: 'decimal', precision: 12, scale: 2, nulls: 0.5 },
};
const keys = fc.constantFrom(columns, { ...columns, id: { type: 'uuid4' } });
const cell = { implementation: 'a call', maxRowsPerCall: 10_000 };
const methods = { prepared: cell, bind: cell, literal: cell, pipelined: { ...cell, pipelines: true } };
const reading = Object.fromEntries(
  Object.entries(methods).map(([name, one]) => [name, { ...one, uses: ['fetchSize'] as const }]),
);
const descriptor = {
  support: {
    ...{ insert: methods, readByKey: methods, update: methods, delete: methods, statement: methods },
    ...{ readRange: reading, scan: reading },
  },
  indexes: { btree: { implementation: 'CREATE INDEX' } },
  foreignKeys: 'FOREIGN KEY',
  nullBindings: {
    asDecimal: { implementation: 'a decimal(38, 0)', methods: ['prepared', 'bind'], converts: ['decimal'] },
  },
} as const satisfies SmallRun['descriptor'];
const cache = fc.constantFrom({}, { cacheBytes: 2 ** 27, pageBytes: 8_192 }, { cacheBytes: 2 ** 34 });
const indexed = { indexes: [{ columns: ['code'] }] };

/** Runs of an operation of Dyno. */
const operationRuns = fc
  .record({
    levels: fc.constantFrom<readonly NonNullable<SmallCell['levels']>[]>(
      [{}],
      [{ connections: 1 }, { connections: 4 }, { connections: 16 }],
      [{ connections: 1 }, { connections: 2 }, { connections: 4 }, { connections: 8 }, { connections: 16 }],
      [{ rowsPerCall: 1 }, { rowsPerCall: 10 }],
      [{ callsPerCommit: 1 }, { callsPerCommit: 10 }],
      [{ callsPerConnection: 1 }, { callsPerConnection: 0 }],
      [{ processes: 1 }, { processes: 2 }],
      [{ fetchSize: 1 }, { fetchSize: 100 }],
      [{ method: 'literal' }, { method: 'bind' }],
      [{ nullBinding: 'asColumn' }, { nullBinding: 'asDecimal' }],
    ),
    operation: fc.constantFrom('insert', 'readByKey', 'readRange', 'update'),
    generation: fc.constantFrom('inline', 'prepared'),
    own: keys,
    fingerprint: cache,
  })
  .chain(({ levels, operation, generation, own, fingerprint }) => {
    const isFetched = levels.some((one) => 'fetchSize' in one);
    const fills = levels.some((one) => 'nullBinding' in one);
    const settings = { operation: isFetched ? 'readRange' : fills ? 'insert' : operation, generation } as const;
    return cellsOf(levels, settings, anOperation).map((cells) =>
      smallRun({ cells, probeInfo, columns: own, dataset: indexed, descriptor, fingerprint }),
    );
  });

const parameters = { code: { code: { type: 'integer' } }, id: { id: { type: 'key' } } };
const texts = {
  find: { text: 'SELECT payload FROM {table} WHERE code = :code', parameters: parameters.code },
  look: { text: 'SELECT payload FROM {table} WHERE id = :id', parameters: parameters.id },
  rare: { text: 'SELECT payload FROM {table} WHERE code = :code', parameters: { code: { type: 'integer', max: 9 } } },
  remove: { text: 'DELETE FROM {parents} WHERE id = :id', parameters: { id: { type: 'key', table: 'parents' } } },
};
const order = { order: { steps: [{ steps: ['look'], times: 20 }, 'find'] } };
const statement = (name: keyof typeof texts) => ({ name, kind: 'statement' as const });

/** Runs of these statements of the file, with a table that another table references. */
const runsOf = (lists: readonly (readonly (keyof typeof texts)[])[]): fc.Arbitrary<RunModel> =>
  fc
    .record({
      names: fc.constantFrom(...lists),
      connections: fc.constantFrom(1, 4),
      fingerprint: cache,
      withIndex: fc.boolean(),
    })
    .chain(({ names, connections, fingerprint, withIndex }) => {
      const inUnits = names.includes('look') && names.length > 1;
      const work: Work = {
        statements: [...names.map(statement), ...(inUnits ? [{ name: 'order', kind: 'transaction' as const }] : [])],
      };
      return cellsOf([{}], { operation: 'statement', connections }, work).map((cells) =>
        smallRun({
          cells,
          probeInfo,
          columns: { ...columns, parent: { type: 'reference', table: 'parents' } },
          dataset: withIndex ? indexed : {},
          descriptor,
          fingerprint,
          more: {
            tables: { parents: { rows: 5_000, key: 'id', columns: { id: { type: 'sequence' } } } },
            statements: Object.fromEntries(names.map((name) => [name, texts[name]])),
            ...(inUnits && { transactions: order }),
          },
        }),
      );
    });

/** Runs that compare two servers. */
const runsOfTwo: fc.Arbitrary<RunModel> = fc
  .record({
    durability: fc.constantFrom('on', 'off'),
    memory: fc.constantFrom('1 GiB', '2 GiB'),
    rates: fc.tuple(fc.constantFrom(100, 1_000), fc.constantFrom(100, 1_000)),
  })
  .map(({ durability, memory, rates }) =>
    madeRun({
      repeats: 3,
      targets: [
        { name: 'one', fingerprint: fingerprintOf({ durability: { fsync: 'on' }, memory: { pool: '1 GiB' } }) },
        { name: 'two', fingerprint: fingerprintOf({ durability: { fsync: durability }, memory: { pool: memory } }) },
      ].map((target) => ({ ...target, descriptor: { support: everything } })),
      trial: ({ target }) => ({ rate: rates[target === 'one' ? 0 : 1]! }),
    }),
  );

/** Every kind of work, with the number of runs that a test checks. */
export const anyRuns = {
  'an operation': { runs: operationRuns, count: 250 },
  statements: { runs: runsOf([['find'], ['look'], ['remove'], ['find', 'look']]), count: 200 },
  'statements of one text': { runs: runsOf([['find', 'rare']]), count: 150 },
  'two servers': { runs: runsOfTwo, count: 20 },
} as const satisfies Record<string, { readonly runs: fc.Arbitrary<RunModel>; readonly count: number }>;
