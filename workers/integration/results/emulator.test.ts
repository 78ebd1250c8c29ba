import { expect, it } from 'vitest';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { anonymise } from '#presentation/report/anonymise.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { answerOf } from '#presentation/text/answer.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { reportOf, targets } from './results.fixture.ts';

const name = 'ora-staging';

/** The fixture's run, with its second target served by an emulator. */
const journal = (served: string | null = 'a mirror over PostgreSQL'): readonly JournalRecord[] =>
  [...fixtureJournal({ connections: [1] })].map((written) => {
    const renamed = JSON.parse(
      JSON.stringify(written)
        .replaceAll(/(?<!"label":)"SQLite"/g, `"${name}"`)
        .replaceAll('1 on SQLite', `1 on ${name}`),
    ) as JournalRecord;
    return targets(
      ({ fingerprint, ...target }) => ({ ...target, fingerprint: fingerprint && { ...fingerprint, emulator: served } }),
      name,
    )(renamed);
  });

const model = readRun(journal());

it('a target that an emulator serves keeps its name, with a caveat and the emulator beside its product', () => {
  expect(model.plan.targets.map((target) => target.name)).toContain(name);
  const text = renderText(model);
  expect(text).toContain('a mirror over PostgreSQL answers in the place of');
  expect(reportOf(model)).toContain('(emulator: a mirror over PostgreSQL)');
  expect(readRun(journal(null)).caveats.map(({ title }) => title)).not.toContain('An emulator, not the product');
});

it('an anonymised export still marks a target as an emulator, without its product', () => {
  const hidden = anonymise(model);
  expect(hidden.plan.targets.map((target) => target.name)).toEqual(['Target A', 'Target B', 'Target C']);
  expect(hidden.caveats).toContainEqual(
    expect.objectContaining({
      cell: { target: 'Target B' },
      text: 'An emulator answers in the place of Target B. Its timings say nothing about the product.',
    }),
  );
  expect(JSON.stringify(hidden)).not.toMatch(/ora-staging|mirror|SQLite/i);
});

it('is no contender: no sentence of the answer names it, and ratios do not refer to it by themselves', () => {
  for (const baseline of [baselineOf(model), { target: 'PostgreSQL' }, { target: name }, {}])
    for (const line of answerOf(model, baseline).sentences) expect(line).not.toContain(name);
  const first = { ...model, plan: { ...model.plan, targets: model.plan.targets.toReversed() } };
  expect(baselineOf(first).target).not.toBe(name);
});

it('a run of nothing but an emulator has nothing to say of a product', () => {
  const alone = { ...model, cells: model.cells.filter(({ target }) => target === name) };
  const only = 'Only an emulator has results: its numbers say nothing about the product.';
  expect(answerOf(alone, {}).sentences).toEqual([only]);
});
