import { parentPort, workerData } from 'node:worker_threads';
import type { AlarmMemory } from './high-resolution-timer.ts';

const { armings, delays } = workerData as AlarmMemory;

for (let armed = 0; ; armed = Atomics.load(armings, 0)) {
  if (armed > 0 && Atomics.wait(armings, 0, armed, delays[0]) === 'timed-out') parentPort?.postMessage(armed);
  Atomics.wait(armings, 0, armed);
}
