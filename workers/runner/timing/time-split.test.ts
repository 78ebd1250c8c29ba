import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import type { ClientHealth, ProcessTime } from '#protocol/measurement.ts';
import { engineDouble, later, type TrialOptions, trialOn, wait } from '../loop/loop.fixture.ts';
import { burn, type SlowDriver, type SlowServer, Spent, slowDatabase, startSlowServer } from './slow-server.fixture.ts';

let server: SlowServer;
beforeTests(async (opened) => {
  server = opened.use(await startSlowServer());
});

const cell = { implementation: 'test', maxRowsPerCall: 1_000_000 };
const engine = (more: Partial<EngineDescriptor> = {}) => ({
  descriptor: {
    label: 'Slow',
    support: { insert: { multiRow: cell, pipelined: { ...cell, pipelines: true } } },
    unsupportedReasons: {},
    ...more,
  } as unknown as EngineDescriptor, // the parts that clients use
  toError: toErrorData,
});

/** Inserts of 1,000 rows in `calls` calls, and what the driver itself knows of them. */
async function run(driver: SlowDriver, calls: number, options: TrialOptions = {}, on: SlowServer = server) {
  const spent = new Spent();
  const trial = await trialOn(engine(), slowDatabase(on, { ...driver, spent }), {
    ...options,
    settings: { method: 'multiRow', rowsPerCall: 1_000 / calls, ...options.settings },
  });
  return { ...trial, spent };
}

const sum = ({ wallMs: _, ...parts }: ProcessTime) => Object.values(parts).reduce((total, ms) => total + ms, 0);
/** The time for which the process waited for a processor, between the driver's clocks and ours. */
const heldMs = ({ pauses }: ClientHealth): number => pauses.noProcessorMs ?? 0;
/** Expects all that the driver spent, and little more. The clocks may differ by the time that other processes got. */
function expectAbout(ms: number, spentMs: number, health: ClientHealth, wholeMs: number): void {
  expect(ms).toBeGreaterThan(0.95 * spentMs - 1 - heldMs(health));
  const more = ms - spentMs - heldMs(health);
  expect(more / wholeMs, `${ms} ms instead of ${spentMs}`).toBeLessThan(0.15);
}

/** Assertions that hold for every measured phase. */
function expectWhole({ processTime }: ClientHealth, wallMs: number): ProcessTime {
  expect(processTime).toBeDefined();
  const time = processTime!;
  expect(sum(time)).toBeCloseTo(time.wallMs, 3);
  for (const ms of Object.values(time)) expect(ms).toBeGreaterThanOrEqual(0);
  expect(time.wallMs / wallMs).toBeGreaterThan(0.95);
  expect(time.wallMs / wallMs).toBeLessThan(1.4);
  return time;
}

describe('one connection', () => {
  test.each([
    { read: 'by streams', ownBuffer: false },
    { read: 'into buffers of the driver’s', ownBuffer: true },
  ])('what the client and the server spend is found where it was spent, and adds up: $read', async ({ ownBuffer }) => {
    const driver = { prepareMs: 20, buildMs: 30, firstMs: 60, restMs: 40, decodeMs: 25, bytes: 50_000, ownBuffer };
    const { result, snapshots, elapsedMs, spent } = await run(driver, 8, { settings: { generation: 'inline' } });
    const time = expectWhole(result.health, elapsedMs);
    expectAbout(time.encodeMs, spent.prepareMs + spent.buildMs, result.health, elapsedMs);
    expectAbout(time.decodeMs, spent.decodeMs, result.health, elapsedMs);
    expect(time.waitMs + heldMs(result.health)).toBeGreaterThan(8 * 90);
    expect(time.idleMs).toBeLessThan(0.05 * time.wallMs);
    expect(time.engineMs).toBe(0);

    const call = result.health.callTime!;
    expect(call).toMatchObject({ calls: 8, roundTrips: 8 });
    expectAbout(call.sendMs, spent.buildMs, result.health, elapsedMs);
    expectAbout(call.waitMs, spent.waitMs, result.health, elapsedMs);
    expect(call.receiveMs + heldMs(result.health)).toBeGreaterThan(8 * (30 + 25));
    // Between the answer's first byte and its rest.
    expect(call.gapMs + heldMs(result.health)).toBeGreaterThan(8 * 30);
    expect(call.gapMs).toBeLessThanOrEqual(call.receiveMs);
    expect(result.handshakes).toEqual({ shortestMs: expect.any(Number) as number, sameMachine: true });
    // The two views are compared with each other, and with the clock that has always been there.
    expect(call.sendMs + call.waitMs + call.receiveMs).toBeCloseTo(result.health.inCallsMs, 3);

    expect(snapshots.length).toBeGreaterThan(1);
    for (const { health, lengthMs } of snapshots) expectWhole(health, lengthMs);
    const total = snapshots.reduce((ms, { health }) => ms + health.processTime!.encodeMs, 0);
    expectAbout(total, time.encodeMs, result.health, elapsedMs);
  });

  test('a driver that builds and decodes in promises, in later turns of the event loop, is seen alike', async () => {
    const driver = { buildMs: 30, firstMs: 60, decodeMs: 25, late: true, promises: true };
    const { result, elapsedMs, spent } = await run(driver, 5);
    const time = expectWhole(result.health, elapsedMs);
    expectAbout(time.encodeMs, spent.buildMs, result.health, elapsedMs);
    expectAbout(time.decodeMs, spent.decodeMs, result.health, elapsedMs);
    expect(time.waitMs + heldMs(result.health)).toBeGreaterThan(5 * 50);
    const call = result.health.callTime!;
    expectAbout(call.sendMs, spent.buildMs, result.health, elapsedMs);
    expectAbout(call.waitMs, spent.waitMs, result.health, elapsedMs);
    expectAbout(call.receiveMs, spent.decodeMs, result.health, elapsedMs);
  });

  test('a call that goes back and forth is the sum of its round trips', async () => {
    const { result, elapsedMs, spent } = await run({ buildMs: 10, firstMs: 30, decodeMs: 20, roundTrips: 3 }, 4);
    const time = expectWhole(result.health, elapsedMs);
    // Building the second request and later ones follows the answer before, and cannot be told from decoding that.
    expectAbout(time.decodeMs + time.encodeMs, spent.buildMs + spent.decodeMs, result.health, elapsedMs);
    const call = result.health.callTime!;
    expect(call).toMatchObject({ calls: 4, roundTrips: 12 });
    expectAbout(call.waitMs, spent.waitMs, result.health, elapsedMs);
    expectAbout(call.sendMs + call.receiveMs, spent.buildMs + spent.decodeMs, result.health, elapsedMs);
  });

  test('begin and commit are timed like calls, and counted separately', async () => {
    const { result, elapsedMs, spent } = await run({ firstMs: 40 }, 10, { settings: { callsPerCommit: 5 } });
    const time = expectWhole(result.health, elapsedMs);
    expect(time.waitMs + heldMs(result.health)).toBeGreaterThan(0.8 * spent.waitMs);
    expect(time.idleMs).toBeLessThan(0.05 * time.wallMs);
    const { callTime, transactionTime } = result.health;
    expect(callTime).toMatchObject({ calls: 10, roundTrips: 10 });
    expect(transactionTime).toMatchObject({ calls: 4, roundTrips: 4 });
    expectAbout(callTime!.waitMs + transactionTime!.waitMs, spent.waitMs, result.health, elapsedMs);
  });

  test('pauses before retries are idle', async () => {
    let tries = 0;
    // Five times in a row, so that pauses are long beside what a busy machine adds to each.
    const behaviour = async () => {
      if (tries++ % 6 !== 5) throw new DynoError('deadlock', 'Chosen as the victim.', { retryable: true });
      return 100;
    };
    const { result, elapsedMs } = await trialOn(engine(), engineDouble(behaviour).database, {
      settings: { method: 'multiRow', rowsPerCall: 100 },
    });
    const time = expectWhole(result.health, elapsedMs);
    expect(result.health.pauseMs).toBeGreaterThan(5);
    expect(time.idleMs).toBeGreaterThan(0.5 * result.health.pauseMs!);
    expect(time.waitMs).toBeLessThan(0.5 * time.wallMs);
  });
});

describe('several at a time', () => {
  test('in a pipeline a call waits for those before it, too', async () => {
    const { result, elapsedMs, spent } = await run({ buildMs: 5, firstMs: 30, decodeMs: 10 }, 20, {
      settings: { method: 'pipelined', pipelineDepth: 4, rowsPerCall: 50 },
    });
    const time = expectWhole(result.health, elapsedMs);
    expectAbout(time.encodeMs, spent.buildMs, result.health, elapsedMs);
    expectAbout(time.decodeMs, spent.decodeMs, result.health, elapsedMs);
    const { calls, seen, sendMs, waitMs, receiveMs, roundTrips } = result.health.callTime!;
    expect([calls, seen]).toEqual([20, 20]);
    expect(roundTrips).toBeLessThanOrEqual(20);
    expect(waitMs / calls).toBeGreaterThan(2 * 30);
    expect(sendMs + waitMs + receiveMs).toBeCloseTo(result.health.inCallsMs, 3);
  });

  test('of many sessions, those that are looked at speak for all', async () => {
    const { result, elapsedMs, spent } = await run({ buildMs: 0.5, firstMs: 20, decodeMs: 0.5 }, 1_000, {
      settings: { connections: 20 },
    });
    const time = expectWhole(result.health, elapsedMs);
    // Some calls are sampled and stand for others, too.
    expect(time.encodeMs / spent.buildMs).toBeGreaterThan(0.5);
    expect(time.decodeMs / spent.decodeMs).toBeGreaterThan(0.5);
    const { calls, seen, sendMs, waitMs, receiveMs } = result.health.callTime!;
    expect(calls).toBe(1_000);
    // However few: their parts are those of the time that the histograms have.
    expect(sendMs + waitMs + receiveMs).toBeCloseTo(result.health.inCallsMs, 3);
    expect(seen).toBeGreaterThan(0);
    expect(seen).toBeLessThan(600);
    expect(waitMs / calls).toBeGreaterThan(18);
  });
});

describe('what goes wrong', () => {
  test('a call that the server refuses has waited like others', async () => {
    const { result, elapsedMs, spent } = await run({ firstMs: 40, fault: (call) => (call % 2 ? 'error' : null) }, 8);
    expectWhole(result.health, elapsedMs);
    expect(result.totals.errors).toEqual({ constraint: 4 });
    expect(result.health.callTime).toMatchObject({ calls: 8, roundTrips: 8 });
    expectAbout(result.health.callTime!.waitMs, spent.waitMs, result.health, elapsedMs);
  });

  test('a connection that is lost leaves no answer: the call waited to its end', async () => {
    const { result } = await run({ firstMs: 40, fault: (call) => (call === 3 ? 'end' : null) }, 4);
    expect(result.totals.errors).toEqual({ timeout: 1 });
    expect(result.health.callTime).toMatchObject({ calls: 4, roundTrips: 3 });
    expect(result.health.callTime!.waitMs + heldMs(result.health)).toBeGreaterThan(4 * 35);
  });

  test('a call that was never sent has nothing to take apart', async () => {
    const { result, elapsedMs } = await run({ firstMs: 20, fault: (call) => (call < 2 ? 'throw' : null) }, 10);
    expectWhole(result.health, elapsedMs);
    // There are too many of them for the others to represent all.
    expect(result.health.callTime).toBeNull();
  });
});

describe('where there is no socket', () => {
  test('an engine in the process works in its calls, which are not taken apart', async () => {
    let burntMs = 0;
    const { database } = engineDouble((batch) => {
      burntMs += burn(10);
      return batch.rows;
    });
    const { result, elapsedMs } = await trialOn(engine({ inProcess: true }), database, {
      settings: { method: 'multiRow', rowsPerCall: 100, generation: 'inline' },
    });
    const time = expectWhole(result.health, elapsedMs);
    expectAbout(time.engineMs, burntMs, result.health, elapsedMs);
    expect(time.waitMs).toBeLessThan(0.1 * time.wallMs);
    expect(result.health.callTime).toBeNull();
    expect(result.health.transactionTime).toBeNull();
  });

  test('one that works later, when another of its calls is done, works all the same', async () => {
    let burntMs = 0;
    let turn = Promise.resolve();
    const { database } = engineDouble((batch) => {
      turn = turn.then(() => {
        burntMs += burn(10);
      });
      return turn.then(() => batch.rows);
    });
    const { result, elapsedMs } = await trialOn(engine({ inProcess: true }), database, {
      settings: { method: 'multiRow', rowsPerCall: 50, connections: 3 },
    });
    const time = expectWhole(result.health, elapsedMs);
    expectAbout(time.engineMs, burntMs, result.health, elapsedMs);
    // A process without a processor does nothing else either.
    expect(time.otherMs - heldMs(result.health)).toBeLessThan(0.2 * time.wallMs);
  });

  test('its calls that fail have worked, too', async () => {
    let burntMs = 0;
    const { database } = engineDouble((): number => {
      burntMs += burn(10);
      throw new DynoError('constraint', 'Refused.');
    });
    const { result, elapsedMs } = await trialOn(engine({ inProcess: true }), database, {
      settings: { method: 'multiRow', rowsPerCall: 100 },
    });
    const time = expectWhole(result.health, elapsedMs);
    expectAbout(time.engineMs, burntMs, result.health, elapsedMs);
  });

  test('calls of a driver that hides its connection are waited for, and not taken apart', async () => {
    const { result, elapsedMs } = await trialOn(engine(), engineDouble(later(20)).database, {
      settings: { method: 'multiRow', rowsPerCall: 100 },
    });
    const time = expectWhole(result.health, elapsedMs);
    expect(time.waitMs + heldMs(result.health)).toBeGreaterThan(10 * 15);
    expect(result.health.callTime).toBeNull();
  });
});

describe('other kinds of sockets', () => {
  const driver = { buildMs: 20, firstMs: 40, decodeMs: 20 };
  const expectTaken = async (on: SlowServer) => {
    const { result, elapsedMs, spent } = await run(driver, 5, {}, on);
    const time = expectWhole(result.health, elapsedMs);
    expectAbout(time.encodeMs, spent.buildMs, result.health, elapsedMs);
    expectAbout(time.decodeMs, spent.decodeMs, result.health, elapsedMs);
    expect(result.health.callTime).toMatchObject({ calls: 5, roundTrips: 5 });
    expectAbout(result.health.callTime!.waitMs, spent.waitMs, result.health, elapsedMs);
  };
  const folder = () => {
    const path = temporaryFolder();
    return path;
  };

  test.skipIf(process.platform === 'win32')('a Unix-domain socket', async () => {
    await using other = await startSlowServer({ path: join(folder(), 'socket') });
    await expectTaken(other);
  });

  test.skipIf(spawnSync('openssl', ['version']).status !== 0)('TLS over a connection that is there', async () => {
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder(), name)) as [string, string];
    const subject = ['-subj', '/CN=localhost', '-days', '1'];
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    expect(spawnSync('openssl', [...request, '-keyout', key, '-out', cert, ...subject]).status).toBe(0);
    const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
    await using other = await startSlowServer({ tls });
    await expectTaken(other);
  });
});

test('sockets are left as they were', async () => {
  const { Socket } = await import('node:net');
  const { push, _write, _writev } = Socket.prototype;
  await run({}, 1);
  await wait(0);
  expect(Object.hasOwn(Socket.prototype, 'push')).toBe(false);
  expect(Socket.prototype).toMatchObject({ push, _write, _writev });
});
