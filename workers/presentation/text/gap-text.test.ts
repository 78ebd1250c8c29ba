import { expect, it } from 'vitest';
import { gapBetween, gapRun, twoVariants } from '#analysis/gap/made-gaps.fixture.ts';
import type { Variant } from '#protocol/plan.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { gapTable } from '../tables/comparison/gap-table.ts';
import { gapAnswer } from './gap-text.ts';

const text = gapBetween(twoVariants({}, { connections: 4, callsPerCommit: 10, fetchSize: 7 })).source!.text;
const run = (rate: (variant: Variant, target: string) => number, targets?: readonly string[]) =>
  gapRun(new Sfc32(7), text, { rate, cv: 0.01, ...(targets && { targets }) });

const connections = ({ settings }: Variant) => (settings.connections === 4 ? 3_000 : 1_000);

it('says how much of the gap a difference explains, alone and taken back', () => {
  const answer = gapAnswer(run(connections))!;
  expect(answer.headline).toMatch(/^“Connections: 4” explains 3\.\d+× of the [23]\.\d+× \([23]\.\d+–3\.\d+\)$/);
  expect(answer.details[0]).toMatch(
    /^Changed alone, it brings [23]\.\d+× \(.*\); taken back, it costs [23]\.\d+× \(.*\)\.$/,
  );
  expect(answer).toMatchObject({ lead: 'certain', certainty: 'Certain at 95 % among 10 comparisons' });
});

it('says that no single difference explains a gap, and that it cannot tell', () => {
  const isBoth = ({ settings }: Variant) => settings.connections === 4 && settings.callsPerCommit === 10;
  expect(gapAnswer(run((variant) => (isBoth(variant) ? 3_000 : 1_000)))!.headline).toMatch(
    /^No single difference explains the .*: “.*” and “.*” do together$/,
  );
  const none = gapAnswer(run(() => 1_000))!;
  expect(none.headline).toMatch(/^Cannot tell: the repeats show no gap between the two variants, (?:1|0\.99)/);
  expect(none.lead).toBe('uncertain');
});

it('names the certain effects that leave open what explains a gap', () => {
  const rate = ({ settings }: Variant) =>
    1_000 * (settings.connections === 4 ? 1.3 : 1) * (settings.callsPerCommit === 10 ? 1.3 : 1);
  const { headline, details } = gapAnswer(gapRun(new Sfc32(11), text, { rate, cv: 0.1 }))!;
  expect(headline).toMatch(/^Cannot tell what explains the /);
  expect(details).toEqual([
    expect.stringMatching(/^“.*”: changed alone, .*, which is not certain; taken back, it costs [^;]*\)\.$/),
    expect.stringMatching(/^“.*”: changed alone, .*, which is not certain; taken back, it costs [^;]*\)\.$/),
    'These effects leave open what explains the gap.',
  ]);
});

it('has a row for each difference on each target', () => {
  const { rows, columns } = gapTable(run(connections, ['t0', 't1']));
  expect(columns.map(({ title }) => title)).toEqual([
    'Difference',
    'Target',
    'From',
    'To',
    'Changed alone',
    'Taken back',
  ]);
  expect(rows).toHaveLength(6);
  expect(gapTable({ ...run(connections), plan: { ...run(connections).plan, experiment: {} as never } }).rows).toEqual(
    [],
  );
});

it('begins each sentence with its target, and says on which targets the second variant is the faster one', () => {
  const rate = (variant: Variant, target: string) =>
    target === 'b' ? 1e6 / connections(variant) : connections(variant);
  const made = run(rate, ['a', 'b', 'c']);
  const { headline, details } = gapAnswer(made)!;
  expect(headline).toMatch(/^On a, “Connections: 4” explains /);
  expect(details[0]).toMatch(/^Changed alone, it brings /);
  expect(details[1]).toMatch(
    /^On b, “Connections: 4” explains .*\. Changed alone, it costs .*; taken back, it brings /,
  );
  expect(details[2]).toMatch(/^On c, “Connections: 4” explains .*\. Changed alone, it brings /);
  const note = (targets: readonly string[]) => gapTable(run(rate, targets)).note;
  expect(note(['a', 'b', 'c'])).toMatch(
    /^The second variant was the faster one on a and c, .* speed, and the slower one on b, .* loss\. Changed alone: the ratio of /,
  );
  expect(note(['a', 'c'])).toMatch(/^Changed alone: the speed of /);
  expect(note(['b'])).toMatch(/^Changed alone: the loss of /);
});

it('has a subject in each sentence about a target', () => {
  const isBoth = ({ settings }: Variant) => settings.connections === 4 && settings.callsPerCommit === 10;
  const { headline, details } = gapAnswer(
    run((variant, target) => (target === 'a' || isBoth(variant) ? 3_000 : 1_000), ['a', 'b']),
  )!;
  expect(headline).toMatch(/^On a, the run cannot tell: the repeats show no gap between the two variants, /);
  expect(details).toEqual([expect.stringMatching(/^On b, no single difference explains the /)]);
});
