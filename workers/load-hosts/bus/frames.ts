import * as v from 'valibot';
import { isMapping } from '#model/is-mapping.ts';
import { publicKeyPattern } from '#model/load-hosts.ts';
import { settingSchemas } from '#model/settings/settings.ts';
import { hostSecondSchema } from '#protocol/host-second.ts';
import {
  loadedRowsSchema,
  phases,
  snapshotSchema,
  timedCallSchema,
  workerResultSchema,
} from '#protocol/measurement.ts';
import type { ToHost, ToWorker } from '#protocol/messages.ts';
import { askedPlanSchema, planMoments } from '#protocol/query-plans.ts';
import { amount, errorSchema, finite, type Read, whole } from '#protocol/read-values.ts';

/**
 * The messages between coordinator and agent. A sealed message comes from the partner, but is checked like any other
 * input, because the partner's machine may have been taken over. Members that are not named here are left out.
 */

/** Subjects and streams of the bus. */
export const busNames = {
  /**
   * The subject on which an agent hears questions and orders to begin; `key`: keyName of the public key that is asked.
   */
  agent: (key: string) => `dyno.agent.${key}`,
  stream: (session: string) => `DYNO_${session}`,
  toAgent: (session: string) => `dyno.session.${session}.agent`,
  toCoordinator: (session: string) => `dyno.session.${session}.coordinator`,
  pings: (session: string) => `dyno.session.${session}.ping`,
} as const;

const name = v.pipe(v.string(), v.maxLength(200));
const text = v.pipe(v.string(), v.maxLength(20_000));
const sessionId = v.pipe(v.string(), v.regex(/^[a-f0-9]{16,64}$/));
const publicKey = v.pipe(v.string(), v.regex(publicKeyPattern));
const ns = v.pipe(v.string(), v.regex(/^-?\d{1,20}$/));
/** The most workers of one session on an agent, and their numbers. */
const workerNumber = v.pipe(whole, v.maxValue(1_000_000));

/**
 * The purposes of seals. Messages of a session name it, and answers name their question: a message of another session,
 * or the answer of an earlier question, does not open.
 */
export const sealFor = {
  question: 'question',
  facts: (question: string) => `facts ${question}`,
  begin: 'begin',
  begun: (session: string) => `begun ${session}`,
  stream: (session: string) => `stream ${session}`,
  ping: (session: string) => `ping ${session}`,
} as const;

/**
 * A coordinator's question to an agent about itself. Whoever has recorded it may send it again: its answer changes
 * nothing, and only the coordinator can open it.
 */
export const questionSchema = v.object({ question: sessionId });

/** The agent's answer about itself. */
export const factsSchema = v.object({
  /** Dyno's version: coordinator and agents have the same. */
  version: name,
  /** True if it works for another run now. */
  busy: v.boolean(),
  /** The agent's key for the next session alone: an order that is sealed for it opens once, and in no later process. */
  key: publicKey,
  host: name,
  os: name,
  cpu: name,
  cores: v.pipe(whole, v.minValue(1), v.maxValue(100_000)),
  memoryBytes: amount,
  node: name,
});
/** The agent's facts: its version, its machine, its runtime. */
export type AgentFacts = Read<typeof factsSchema>;

/** A trusted coordinator has an agent begin a session, sealed for the agent's key of that session. */
export const beginSchema = v.object({
  session: sessionId,
  /** The coordinator's key for this session alone. */
  key: publicKey,
  version: name,
});
/** The answer to the order to begin a session. `refusal`: why the agent does not work now; null: it has begun. */
export const begunSchema = v.object({ refusal: v.nullable(text) });
/** An agent's answer to the order to begin a session. */
export type Begun = Read<typeof begunSchema>;

/**
 * A sign of life of the coordinator. Numbers only go up, so that nobody else can send one again. `asksUse`: the answer
 * has the use of the agent's machine since the ping before.
 */
export const pingSchema = v.object({ number: whole, asksUse: v.boolean() });
/** The answer to a ping: the agent's clocks, and the processor time of its machine so far, over all cores. */
export const pongSchema = v.object({
  number: whole,
  /** The monotonic clock (process.hrtime) when it heard the ping. */
  ns,
  /** How long the agent worked on its answer, by the same clock. */
  heldNs: whole,
  /** The wall clock (Date.now()) when it answered. */
  wallMs: finite,
  busyMs: amount,
  idleMs: amount,
  /** Null: it was not asked for, or is not known, as in the answer to the first ping that asks for it. */
  use: v.nullable(hostSecondSchema),
});

const mapping = v.custom<object>(isMapping, 'is no map');
/** A dataset that the agent's worker generates: paths of stored rows are paths of the coordinator's machine. */
const dataset = v.custom<object>((value) => isMapping(value) && !('stored' in value), 'is no dataset');
/** The request to a client worker: its part of a table's rows. */
const clientRequest = v.variant('call', [
  v.object({
    call: v.literal('load'),
    table: mapping,
    dataset,
    storedAs: v.partial(v.object({ dates: settingSchemas.dates, documents: settingSchemas.documents })),
    rows: v.object({ first: whole, end: whole }),
  }),
  v.object({ call: v.literal('abort') }),
]);
const perSecond = v.pipe(finite, v.gtValue(0));
const toWorker = v.variant('type', [
  v.object({
    type: v.literal('init'),
    // Agents only drive load; the coordinator itself has schema, probes and verification.
    role: v.literal('client'),
    engine: name,
    config: v.record(v.string(), v.unknown()),
    tag: name,
  }),
  v.object({
    type: v.literal('prepare'),
    job: v.looseObject({
      worker: workerNumber,
      workers: v.pipe(whole, v.minValue(1), v.maxValue(100_000)),
      connections: v.pipe(whole, v.minValue(1), v.maxValue(10_000)),
      table: mapping,
      dataset,
      tables: v.exactOptional(v.record(v.string(), v.looseObject({ dataset }))),
      settings: v.looseObject(settingSchemas),
      measure: mapping,
      loadedRows: whole,
      trialSeed: v.pipe(v.number(), v.safeInteger()),
      maxPerSecond: v.exactOptional(perSecond),
      session: v.exactOptional(v.record(v.string(), v.string())),
      sourceTarget: v.exactOptional(
        v.object({
          engine: name,
          config: v.record(v.string(), v.unknown()),
          maxPerSecond: v.exactOptional(perSecond),
          session: v.exactOptional(v.record(v.string(), v.string())),
        }),
      ),
    }),
  }),
  v.object({ type: v.literal('warmup') }),
  v.object({ type: v.literal('measure'), atNs: v.nullable(ns) }),
  v.object({ type: v.literal('counted') }),
  v.object({ type: v.literal('nextCall') }),
  v.object({ type: v.literal('stop'), cancel: v.boolean() }),
  v.object({ type: v.literal('request'), id: whole, request: clientRequest }),
  v.object({ type: v.literal('exit') }),
]);

const toAgentSchema = v.variant('type', [
  v.object({ type: v.literal('start'), worker: workerNumber }),
  v.object({ type: v.literal('tell'), worker: workerNumber, message: toWorker }),
  v.object({ type: v.literal('kill'), worker: workerNumber }),
  v.object({ type: v.literal('end') }),
]);
/** The messages of a coordinator to an agent. */
export type ToAgent =
  | { readonly type: 'start' | 'kill'; readonly worker: number }
  | { readonly type: 'tell'; readonly worker: number; readonly message: ToWorker }
  | { readonly type: 'end' };

const toHost = v.variant('type', [
  v.object({ type: v.literal('hello'), pid: whole }),
  v.object({ type: v.literal('loaded') }),
  v.object({
    type: v.literal('ready'),
    identities: v.pipe(v.array(text), v.maxLength(1_000)),
    endsHere: v.nullable(v.boolean()),
  }),
  v.object({
    type: v.literal('response'),
    id: whole,
    result: v.variant('ok', [
      v.object({ ok: v.literal(true), value: v.nullable(loadedRowsSchema) }),
      v.object({ ok: v.literal(false), error: errorSchema }),
    ]),
  }),
  v.object({
    type: v.literal('progress'),
    phase: v.picklist(phases),
    rows: amount,
    of: amount,
    what: v.exactOptional(text),
  }),
  v.object({ type: v.literal('prepared') }),
  v.object({ type: v.literal('queryPlans'), when: v.picklist(planMoments), plans: v.array(askedPlanSchema) }),
  v.object({ type: v.literal('warm') }),
  v.object({ type: v.literal('snapshot'), snapshot: snapshotSchema }),
  v.object({ type: v.literal('called'), call: timedCallSchema }),
  v.object({ type: v.literal('measured'), lastEndNs: ns }),
  v.object({ type: v.literal('result'), result: workerResultSchema }),
  v.object({ type: v.literal('failed'), error: errorSchema }),
]);

const toCoordinatorSchema = v.variant('type', [
  v.object({ type: v.literal('told'), worker: workerNumber, message: toHost }),
  v.object({
    type: v.literal('closed'),
    worker: workerNumber,
    code: v.nullable(v.pipe(v.number(), v.safeInteger())),
    signal: v.nullable(name),
    stderr: text,
  }),
  /** The worker could not be started, or was refused. */
  v.object({ type: v.literal('failed'), worker: workerNumber, error: errorSchema }),
  /** The agent has stopped its load, because it had not heard the coordinator for too long. */
  v.object({ type: v.literal('abandoned'), afterMs: amount }),
]);
/** The messages of an agent to its coordinator. */
export type ToCoordinator =
  | { readonly type: 'told'; readonly worker: number; readonly message: ToHost }
  | Read<(typeof toCoordinatorSchema)['options'][1] | (typeof toCoordinatorSchema)['options'][2]>
  | Read<(typeof toCoordinatorSchema)['options'][3]>;

/** Null: the value is no such message. */
export function readToAgent(frame: unknown): ToAgent | null {
  const parsed = v.safeParse(toAgentSchema, frame, { abortEarly: true });
  // A job goes on to the worker unchecked, because the coordinator's own planner has made it.
  return parsed.success ? (parsed.output as unknown as ToAgent) : null;
}

/** Null: the value is no such message. */
export function readToCoordinator(frame: unknown): ToCoordinator | null {
  const parsed = v.safeParse(toCoordinatorSchema, frame, { abortEarly: true });
  return parsed.success ? parsed.output : null;
}
