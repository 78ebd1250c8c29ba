import type { Database } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Engine } from '#engine-api/engine.ts';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import type { Support } from '#engine-api/support.ts';
import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { keyIndex, tableColumns } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import type { Snapshot, WorkerResult } from '#protocol/measurement.ts';
import type { ClientJob, ToHost } from '#protocol/messages.ts';
import { createGenerator } from '../generator/generator.ts';
import { runClient } from '../process/client.ts';
import { ControlChannel } from './control-channel.ts';

export const dataset: Dataset = {
  rows: 1_000,
  seed: 5,
  key: 'id',
  columns: {
    id: { type: 'uuid4', nulls: 0 },
    name: { type: 'text', length: 20, alphabet: 'alphanumeric', nulls: 0 },
  },
};
export const table = { name: 'dyno_test', columns: tableColumns(dataset), key: keyIndex(dataset), options: {} };

/** The engine's behaviour for one call; within a transaction, rows are kept until commit. */
export type Behaviour = (batch: Batch, session: number) => Promise<number> | number;

export interface Double {
  readonly database: Database;
  readonly inFlight: { most: number; now: number };
  /** Keys in the order they were committed. */
  readonly committed: string[];
  readonly log: string[];
  readonly encoded: { calls: number };
  readonly cancelled: PromiseWithResolvers<void>;
}

/**
 * An engine that keeps keys in memory. Calls remember which session encoded them: running another session's call, or a
 * call twice, is an error. `onCommit` is called before anything is stored; if it throws, the transaction is lost.
 */
export function engineDouble(behaviour: Behaviour, commitMs = 0, onCommit: () => void = () => {}): Double {
  const log: string[] = [];
  const committed: string[] = [];
  const inFlight = { most: 0, now: 0 };
  const encoded = { calls: 0 };
  const cancelled = Promise.withResolvers<void>();
  let sessions = 0;
  const openSession = async (): Promise<Session> => {
    const session = sessions++;
    let open: string[] | null = null;
    const operation: Operation = {
      encode(batch) {
        encoded.calls++;
        return { session, batch, run: false };
      },
      run(call) {
        const encodedCall = call as { session: number; batch: Batch; run: boolean };
        const { session: owner, batch } = encodedCall;
        if (owner !== session) throw new DynoError('internal', 'a call of another session');
        if (encodedCall.run) throw new DynoError('internal', 'a call that ran before');
        encodedCall.run = true;
        inFlight.most = Math.max(inFlight.most, ++inFlight.now);
        const done = (rows: number) => {
          inFlight.now--;
          const keys = batch.columns[0] ? decodeColumn(batch.columns[0], { kind: 'uuid' }, batch.rows).map(String) : [];
          (open ?? committed).push(...keys);
          return rows;
        };
        const failed = (thrown: unknown): never => {
          inFlight.now--;
          throw thrown;
        };
        try {
          const answer = behaviour(batch, session);
          return typeof answer === 'number' ? done(answer) : answer.then(done, failed);
        } catch (thrown) {
          return failed(thrown);
        }
      },
    };
    return {
      prepare: async () => operation,
      begin() {
        log.push('begin');
        open = [];
      },
      commit() {
        log.push('commit');
        onCommit();
        committed.push(...(open ?? []));
        open = null;
        return commitMs > 0 ? wait(commitMs) : undefined;
      },
      rollback() {
        log.push('rollback');
        open = null;
      },
      cancel: async () => cancelled.resolve(),
      wireBytes: () => null,
      [Symbol.asyncDispose]: async () => {
        log.push('closed');
      },
    };
  };
  return { database: { openSession } as unknown as Database, inFlight, committed, log, encoded, cancelled };
}

const support: Support = { implementation: 'test', maxRowsPerCall: 1_000_000 };
const descriptor = {
  label: 'Test engine',
  support: Object.fromEntries(
    (['insert', 'readByKey', 'readRange', 'scan', 'update', 'delete'] as const).map((operation) => [
      operation,
      {
        prepared: support,
        pipelined: { ...support, pipelines: true },
        batch: { ...support, batches: true },
        multiRow: support,
        arrayBind: { ...support, mayApplyPartially: true },
      },
    ]),
  ),
  unsupportedReasons: { bulk: 'it has no COPY' },
} as unknown as EngineDescriptor;

export interface TrialOptions {
  readonly settings?: Partial<Settings>;
  readonly measure?: Partial<ClientJob['measure']>;
  readonly job?: Partial<ClientJob>;
  readonly onMessage?: ((message: ToHost, channel: ControlChannel) => void) | undefined;
}

/** The engine in memory with calls that are started without promises. */
export function startable({ database, ...double }: Double): Double {
  const openSession = async (): Promise<Session> => {
    const session = await database.openSession({}, 'default');
    const prepare = async (plan: OperationPlan): Promise<Operation> => {
      const operation = await session.prepare(plan);
      const run = () => {
        throw new DynoError('internal', 'It was to be started.');
      };
      return {
        ...operation,
        run,
        start: (call, { answered, failed }) =>
          process.nextTick(() => {
            const asked = async () => operation.run(call);
            asked().then(answered, failed);
          }),
      };
    };
    return { ...session, prepare };
  };
  return { ...double, database: { openSession } as unknown as Database };
}

/** The engine in memory with calls that are sent together. `batches`: the number of calls of each. */
export function batching({ database, ...double }: Double): Double & { readonly batches: number[] } {
  const batches: number[] = [];
  const openSession = async (): Promise<Session> => {
    const session = await database.openSession({}, 'default');
    const prepare = async (plan: OperationPlan): Promise<Operation> => {
      const operation = await session.prepare(plan);
      let held: (() => void)[] = [];
      return {
        ...operation,
        start: (call, { answered, failed }) => {
          const asked = async () => operation.run(call);
          held.push(() => asked().then(answered, failed));
        },
        send() {
          const sent = held;
          held = [];
          if (sent.length > 0) batches.push(sent.length);
          for (const one of sent) one();
        },
      };
    };
    return { ...session, prepare };
  };
  return { ...double, batches, database: { openSession } as unknown as Database };
}

export const trial = (double: Double, options: TrialOptions = {}) =>
  trialOn({ descriptor, toError: toErrorData }, double.database, options);

/** Runs the client's part of a trial in this process, by rows and without a warm-up unless set otherwise. */
export async function trialOn(
  { descriptor, toError }: Pick<Engine, 'descriptor' | 'toError'>,
  database: Database,
  { settings, measure, job, onMessage }: TrialOptions,
) {
  const channel = new ControlChannel();
  const messages: ToHost[] = [];
  const full: ClientJob = {
    worker: 0,
    workers: 1,
    table,
    dataset,
    settings: { ...defaultSettings, ...settings },
    connections: settings?.connections ?? 1,
    measure: {
      repeats: 1,
      until: 'rows',
      rows: (job?.dataset ?? dataset).rows,
      seconds: 0.3,
      warmupSeconds: 0,
      warmupRows: 0,
      timeoutSeconds: 60,
      order: 'interleaved',
      seed: 1,
      ...measure,
    },
    loadedRows: 0,
    trialSeed: 1,
    ...job,
  };
  const post = (message: ToHost) => {
    messages.push(message);
    if (message.type === 'prepared') channel.warmUp();
    if (message.type === 'warm') channel.measure(null);
    if (message.type === 'measured') channel.counted();
    onMessage?.(message, channel);
  };
  await runClient({ descriptor, database, channel, toError, post }, full);
  const result = messages.find((message) => message.type === 'result')?.result as WorkerResult;
  const snapshots = messages.flatMap((message): Snapshot[] => (message.type === 'snapshot' ? [message.snapshot] : []));
  return {
    result,
    snapshots,
    messages,
    elapsedMs: result.lines
      ? result.lines.ms / result.lines.count
      : Number(BigInt(result.lastEndNs) - BigInt(result.firstStartNs)) / 1e6,
  };
}

/** Stops the trial this many ms after its measured phase was requested. */
export const stopWhenWarm =
  (ms: number, cancel = true): TrialOptions['onMessage'] =>
  ({ type }, channel) => {
    if (type === 'warm') setTimeout(() => channel.stop(cancel), ms);
  };
export const generations = ['prepared', 'inline'] as const;
export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
export const allRows: Behaviour = (batch) => batch.rows;
export const later =
  (ms: number): Behaviour =>
  async (batch) => {
    await wait(ms);
    return batch.rows;
  };
export function keysOf(from: number, to: number): string[] {
  const { columns, rows } = createGenerator(dataset).fill(from, to - from, null);
  return decodeColumn(columns[0]!, { kind: 'uuid' }, rows).map(String);
}
