import { expect, test } from 'vitest';
import { placeStages } from '#model/stages.ts';
import type { ClientConnection } from '../loop/client-connection.ts';
import { wait } from '../loop/loop.fixture.ts';
import { Phase } from '../loop/phase.ts';
import { openHighResolutionTimer } from '../timing/high-resolution-timer.ts';
import { Dispatcher } from './dispatcher.ts';
import { Intensity, steady } from './intensity.ts';
import { scriptlessUsers } from './user-pool.ts';

/**
 * A phase of two stages whose second stage begins slightly early, because the sum of start and length is rounded down.
 * Starts between two powers of two are all rounded alike, so each try has another length.
 */
function unluckyPhase(): { readonly phase: Phase; readonly stageSeconds: number } {
  for (let stageSeconds = 0.1003; ; stageSeconds += 0.0001) {
    const phase = new Phase(2 * stageSeconds, 0);
    const stageMs = 1_000 * stageSeconds;
    if (phase.startMs + stageMs - phase.startMs < stageMs) return { phase, stageSeconds };
  }
}

test('users that join with a stage stay, whatever the last digits of the clock say', async () => {
  await using timer = await openHighResolutionTimer();
  const unit = async () => {
    await wait(5);
    return 'succeeded';
  };
  const connections = Array.from({ length: 8 }, () => ({ unit }) as unknown as ClientConnection);
  const { phase, stageSeconds } = unluckyPhase();
  const stages = placeStages([
    { name: 'quarter', seconds: stageSeconds, to: 0.25 },
    { name: 'half', seconds: stageSeconds, to: 0.5 },
  ]);
  const dispatcher = new Dispatcher(connections, timer);
  dispatcher.gather(
    {
      arrivals: null,
      users: { total: 8, worker: 0, workers: 1 },
      intensity: new Intensity(stages),
      stages: stages.length,
      sessionLength: () => 1,
      thinkMs: () => 0,
    },
    2 * stageSeconds,
  );
  await dispatcher.run(phase);
  const [quarter, half] = dispatcher.stages.map(({ ended }) => ended);
  expect(quarter).toBeGreaterThan(0);
  expect(half).toBeGreaterThan(0);
});

test('users of a closed load are there before the clock starts, and think from its start on', async () => {
  await using timer = await openHighResolutionTimer();
  let added = 0;
  const starts: number[] = [];
  const connection = {
    unit: async () => {
      starts.push(performance.now());
      return 'succeeded';
    },
  } as unknown as ClientConnection;
  const addUser = () => {
    added++;
    return scriptlessUsers.addUser();
  };
  const dispatcher = new Dispatcher([connection], timer, { ...scriptlessUsers, addUser });
  const thinkMs = 40;
  const load = { arrivals: null, intensity: steady, stages: 0, sessionLength: () => 1, thinkMs: () => thinkMs };
  dispatcher.gather({ ...load, users: { total: 1_000, worker: 1, workers: 4 } }, 0.06);
  expect(added).toBe(250);
  await wait(50);
  const phase = new Phase(0.06, 0);
  await dispatcher.run(phase);
  expect(added).toBe(250);
  expect(starts.length).toBeGreaterThan(0);
  expect(Math.min(...starts) - phase.startMs).toBeGreaterThanOrEqual(thinkMs - 0.001);
  // Users who have begun think again until the phase is over, for at most 20 ms.
  const thoughtMs = phase.counts.load!.thinkMs;
  expect(thoughtMs).toBeGreaterThan(250 * thinkMs);
  expect(thoughtMs).toBeLessThanOrEqual(250 * thinkMs + starts.length * 20 + 0.001);
});
