import { expect, test } from 'vitest';
import { placeStages } from '#model/stages.ts';
import type { ClientConnection } from '../loop/client-connection.ts';
import { wait } from '../loop/loop.fixture.ts';
import { Phase } from '../loop/phase.ts';
import { openHighResolutionTimer } from '../timing/high-resolution-timer.ts';
import { Dispatcher } from './dispatcher.ts';
import { Intensity } from './intensity.ts';

/** A phase that began when the clock's last digits have it that its second stage begins a little before it does. */
function unluckyPhase(seconds: number, stageMs: number): Phase {
  for (;;) {
    const phase = new Phase(seconds);
    if (phase.startMs + stageMs - phase.startMs < stageMs) return phase;
  }
}

test('users that join with a stage stay, whatever the last digits of the clock say', async () => {
  await using timer = await openHighResolutionTimer();
  const unit = async () => {
    await wait(5);
    return 'succeeded';
  };
  const connections = Array.from({ length: 8 }, () => ({ unit }) as unknown as ClientConnection);
  const stages = placeStages([
    { name: 'quarter', seconds: 0.1, to: 0.25 },
    { name: 'half', seconds: 0.1, to: 0.5 },
  ]);
  const dispatcher = new Dispatcher(connections, timer);
  await dispatcher.run(unluckyPhase(0.2, 100), {
    arrivals: null,
    users: { total: 8, worker: 0, workers: 1 },
    intensity: new Intensity(stages),
    stages: stages.length,
    sessionLength: () => 1,
    thinkMs: () => 0,
  });
  const [quarter, half] = dispatcher.stages.map(({ ended }) => ended);
  expect(quarter).toBeGreaterThan(0);
  expect(half).toBeGreaterThan(0);
});
