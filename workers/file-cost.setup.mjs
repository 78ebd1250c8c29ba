import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';

/*
 * Vitest runs this before each test file. Where DYNO_TEST_COSTS names a file, a line of JSON tells there what the test
 * file cost. The hook below is the first that is registered, so it runs last, after servers have stopped.
 */

const costsFile = process.env.DYNO_TEST_COSTS;

/** Processor time, in ms, of this process and of the children that have ended and were waited for. */
function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
}

/** Linux counts the children's time in hundredths of a second (proc(5), cutime and cstime); elsewhere it is unknown. */
function childrenMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return 10 * (Number(fields[13]) + Number(fields[14]));
  } catch {
    return 0;
  }
}

if (costsFile) {
  const startedMs = performance.now();
  const processorBeforeMs = processorMs();
  afterAll(() => {
    const cost = {
      file: relative(process.cwd(), expect.getState().testPath),
      wallMs: Math.round(performance.now() - startedMs),
      processorMs: Math.round(processorMs() - processorBeforeMs),
    };
    appendFileSync(costsFile, `${JSON.stringify(cost)}\n`);
  });
}
