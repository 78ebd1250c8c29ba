import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from './launch.ts';

// `npm run bench -- window` prints how long the window takes from the start of its program until its first screen can
// be used: at the first start of a home, and at later ones. Playwright's own part is in it.

const rounds = 7;

async function startMs(home: string): Promise<number> {
  const startedAt = performance.now();
  const { page, close } = await launch({ home });
  await page.getByRole('button', { name: /^Run the insert comparison/ }).waitFor();
  const ms = performance.now() - startedAt;
  await close();
  return ms;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const first: number[] = [];
const later: number[] = [];
for (let round = 0; round < rounds; round++) {
  const home = await mkdtemp(join(tmpdir(), 'dyno-home-'));
  try {
    first.push(await startMs(home));
    later.push(await startMs(home));
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
for (const [name, values] of Object.entries({ 'first start of a home': first, 'later start': later })) {
  const [least, most] = [Math.min(...values), Math.max(...values)].map((ms) => ms.toFixed(0));
  console.log(`${name}: median ${median(values).toFixed(0)} ms of ${values.length} (${least} to ${most} ms)`);
}
