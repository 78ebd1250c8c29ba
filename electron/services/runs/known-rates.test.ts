import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { rateKey } from '#planning/estimate-seconds.ts';
import { createKnownRates } from './known-rates.ts';

const records = [...fixtureJournal({ connections: [1], repeats: 1 })];
const plan = records.flatMap((one) => (one.record === 'header' ? [one.plan] : []))[0]!;
const result = records.flatMap((one) =>
  one.record === 'result' && one.result.status === 'ok' ? [one.result] : [],
)[0]!;
const engine = plan.targets.find(({ name }) => name === result.target)!.engine;
const key = rateKey(engine, plan.variants.find(({ id }) => id === result.variant)!.settings);

it('keeps the rates of the latest kinds of trials, and not of all that there ever were', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-rates-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'rates.json');
  const earlier = Array.from({ length: 1_000 }, (_, i) => [`kind ${i}`, 1] as const);
  writeFileSync(file, JSON.stringify(Object.fromEntries(earlier)));
  createKnownRates(file).learn(plan, result);
  const { rates } = createKnownRates(file);
  expect(rates.size).toBe(1_000);
  expect([rates.has('kind 0'), rates.has('kind 1'), rates.has(key)]).toEqual([false, true, true]);
});
