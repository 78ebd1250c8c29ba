import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addUp, costsOfPlaywright, costsOfVitest, tableOfCosts, withKept } from './file-costs.mjs';

it('adds up the runs of a file and puts the slowest first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dyno-costs-'));
  try {
    const path = join(folder, 'costs.jsonl');
    const line = (file, wallMs, processorMs) => `${JSON.stringify({ file, wallMs, processorMs })}\n`;
    await writeFile(path, line('a', 100, 10) + line('b', 400, 20) + line('a', 500, 5));
    expect(await costsOfVitest(path)).toEqual([
      { file: 'a', wallMs: 600, processorMs: 15 },
      { file: 'b', wallMs: 400, processorMs: 20 },
    ]);
    expect(await costsOfVitest(join(folder, 'missing'))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('reads the time of every try of every test from the report of Playwright', () => {
  const spec = (file, ...durations) => ({ file, tests: [{ results: durations.map((duration) => ({ duration })) }] });
  const report = { suites: [{ specs: [spec('a.e2e.ts', 2, 3)], suites: [{ specs: [spec('b.e2e.ts', 9)] }] }] };
  expect(costsOfPlaywright(report)).toEqual([
    { file: 'e2e/b.e2e.ts', wallMs: 9, processorMs: null },
    { file: 'e2e/a.e2e.ts', wallMs: 5, processorMs: null },
  ]);
  expect(costsOfPlaywright(null)).toEqual([]);
});

it('keeps the costs of files that did not run, unless they are gone', () => {
  const [ran, kept] = ['electron/setup/file-costs.mjs', 'electron/setup/file-costs.test.mjs'];
  const cost = (file, wallMs) => ({ file, wallMs, processorMs: null });
  expect(withKept([cost(ran, 3)], [cost(ran, 7), cost(kept, 5), cost('electron/setup/gone.test.mjs', 9)])).toEqual([
    cost(kept, 5),
    cost(ran, 3),
  ]);
});

it('shows the twenty slowest files with their share of the time', () => {
  const costs = addUp(Array.from({ length: 40 }, (_, at) => ({ file: `f${at}`, wallMs: 1_000, processorMs: null })));
  const [head, , ...rows] = tableOfCosts(costs);
  expect(head).toBe('The 20 slowest of 40 test files took 50 % of the time of all files:');
  expect(rows).toHaveLength(20);
  expect(rows[0]).toBe('      1.0         –  f0');
  expect(tableOfCosts([])).toEqual([]);
});
