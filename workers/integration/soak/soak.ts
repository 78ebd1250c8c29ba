import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { testHome } from '../home.fixture.ts';
import { cycle, grown, type Held, held } from './cycles.fixture.ts';

/**
 * `npm run test:long -- soak [--minutes 120 | --cycles 1000] [--targets sqlite,embedded-postgres]`: short runs one
 * after another, by turns on these targets. Each minute it looks at what is left of them, and ends with exit code 1
 * where something is. `--pause 10` waits so many seconds between two runs, for a machine that has other work.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    cycles: { type: 'string', default: 'Infinity' },
    pause: { type: 'string', default: '0' },
    targets: { type: 'string', default: 'sqlite,embedded-postgres' },
  },
});
const most = Number(values.cycles);
const endsAt = performance.now() + (Number.isFinite(most) ? Number.POSITIVE_INFINITY : Number(values.minutes) * 60_000);
const targets = values.targets.split(',');

const line = (cycles: number, { files, processes, notes, heapMb, residentMb }: Held): string =>
  `| ${cycles} | ${files} | ${processes} | ${notes} | ${heapMb.toFixed(1)} | ${residentMb.toFixed(0)} |`;

await using test = testHome();
for (const target of targets) await cycle(test.home, target);
const first = held(test.home);
console.log('| runs | open files | processes | notes | heap, MB | memory, MB |\n|---|---|---|---|---|---|');
console.log(line(0, first));
let cycles = 0;
let shownAt = performance.now();
while (cycles < most && performance.now() < endsAt) {
  await cycle(test.home, targets[cycles % targets.length]!);
  cycles++;
  await sleep(Number(values.pause) * 1_000);
  if (performance.now() - shownAt < 60_000) continue;
  shownAt = performance.now();
  console.log(line(cycles, held(test.home)));
}
const last = held(test.home);
console.log(line(cycles, last));
const leaks = grown(first, last, cycles);
console.log(leaks.length === 0 ? 'Nothing is left.' : leaks.join('\n'));
process.exitCode = leaks.length === 0 ? 0 : 1;
