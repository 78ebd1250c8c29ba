import { median } from '#stats/intervals/summary.ts';
import { TimeSplit } from '../timing/time-split.ts';
import { bareLoop, sessionThat } from './bare-loop.fixture.ts';

/** Measures the loop's own cost per call, with clock and histogram, over calls that do nothing. */
const calls = 300_000;
const rounds = 15;

const run = await bareLoop(async () => sessionThat(() => 1), {}, new TimeSplit(), null);
const times: number[] = [];
while (times.length < rounds) times.push((await run(calls)).wallNs);
console.log(`loop: ${median(times).toFixed(0)} ns a call`);
