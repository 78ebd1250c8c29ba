import { expect, it } from 'vitest';
import type { Plan, Variant } from '#protocol/plan.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { madeTournament, storeChanges } from '../compare/tournament.fixture.ts';
import { tournamentsOf } from '../compare/tournament.ts';
import { type Gap, gapsOf } from './explain-gap.ts';
import { gapBetween, gapRun, type MadeGap, twoVariants } from './made-gaps.fixture.ts';

const three = gapBetween(twoVariants({ method: 'literal' }, { method: 'bind', connections: 4, callsPerCommit: 10 }))
  .source!.text;
const two = gapBetween(twoVariants({}, { connections: 4, callsPerCommit: 10 })).source!.text;

const explained = (text: string, made: MadeGap, seed = 7): Gap => gapsOf(gapRun(new Sfc32(seed), text, made))[0]!;
const namesOf = ({ guilty }: Gap) => guilty.flatMap(({ differences }) => differences.map(({ name }) => name));

/** A rate that each of these settings multiplies. */
const times =
  (connections: number, commit = 1) =>
  ({ settings }: Variant) =>
    1_000 * (settings.connections === 4 ? connections : 1) * (settings.callsPerCommit === 10 ? commit : 1);

const isBoth = ({ settings }: Variant) => settings.connections === 4 && settings.callsPerCommit === 10;
const isAny = ({ settings }: Variant) => settings.connections === 4 || settings.callsPerCommit === 10;

it('names the one difference that makes a gap, whether it gains or loses', () => {
  const gain = explained(three, { rate: times(3) });
  expect(gain).toMatchObject({ outcome: 'one', isGain: true, comparisons: 10 });
  expect(namesOf(gain)).toEqual(['Connections: 4']);
  expect(gain.guilty[0]!.alone!.ratio.value).toBeCloseTo(3, 0);
  expect(gain.guilty[0]!.back!.ratio.value).toBeCloseTo(3, 0);
  const loss = explained(three, { rate: times(1 / 3) });
  expect(loss).toMatchObject({ outcome: 'one', isGain: false });
  expect(namesOf(loss)).toEqual(['Connections: 4']);
  expect(loss.gap!.ratio.value).toBeCloseTo(3, 0);
});

it('names two differences that each make a part of the gap, the larger one first', () => {
  const gap = explained(three, { rate: times(2, 4) });
  expect(gap.outcome).toBe('several');
  expect(namesOf(gap)).toEqual(['Calls per commit: 10', 'Connections: 4']);
});

it('names two differences that make the gap only together, and two of which one is enough', () => {
  for (const text of [two, three]) {
    const together = explained(text, { rate: (variant) => (isBoth(variant) ? 3_000 : 1_000) });
    expect(together.outcome).toBe('together');
    expect(namesOf(together).toSorted()).toEqual(['Calls per commit: 10', 'Connections: 4']);
    const either = explained(text, { rate: (variant) => (isAny(variant) ? 3_000 : 1_000) });
    expect(either.outcome).toBe('either');
    expect(namesOf(either).toSorted()).toEqual(['Calls per commit: 10', 'Connections: 4']);
  }
});

it('cannot tell where there is no gap, and where scatter hides its reason', () => {
  expect(explained(three, { rate: () => 1_000 }).outcome).toBe('noGap');
  expect(explained(three, { rate: times(1.3, 1.3), cv: 0.12, repeats: 3 }, 11).guilty).toEqual([]);
});

it('names a difference in the wrong direction never, and no result without one of the two variants', () => {
  const mixed = explained(three, { rate: times(4, 1 / 2) });
  expect(namesOf(mixed)).toEqual(['Connections: 4']);
  const text = three;
  const skipped = [{ variant: 'changed=everything', target: 't0', reason: 'It has no bind.' }];
  expect(explained(text, { rate: times(3), skipped })).toMatchObject({ outcome: 'noResult', guilty: [] });
});

it('takes a variant that does the same as another one for that one', () => {
  const skipped = [
    { variant: 'changed=only Calls per commit: 10', target: 't0', reason: 'Same.', sameAs: 'changed=nothing' },
  ];
  const gap = explained(two, { rate: times(3), skipped });
  expect(gap.outcome).toBe('one');
  expect(namesOf(gap)).toEqual(['Connections: 4']);
  expect(gap.guilty[0]!.back!.ratio).toEqual(gap.gap!.ratio);
});

it('says why a difference was not measured alone', () => {
  const skipped = [{ variant: 'changed=only Connections: 4', target: 't0', reason: 'It has one connection.' }];
  const gap = explained(three, { rate: times(3), skipped });
  expect(gap.outcome).toBe('one');
  expect(gap.guilty[0]).toMatchObject({ alone: null, why: { alone: 'It has one connection.', back: null } });
});

it('says of a variant that does the same as another one why that one has no result', () => {
  const [twin, other] = ['changed=only Connections: 4', 'changed=only Calls per commit: 10'];
  const skipped = [
    { variant: other!, target: 't0', reason: 'It is too old.' },
    { variant: twin!, target: 't0', reason: 'Same.', sameAs: other! },
  ];
  const { parts } = explained(three, { rate: times(3), skipped });
  expect(parts.map(({ why }) => why.alone)).toEqual([null, 'It is too old.', 'It is too old.']);
});

it('speaks of the figure that the tournament judges', () => {
  const { plan, ...made } = madeTournament({ changes: storeChanges });
  const run = (judge?: Plan['experiment']['judge']) => {
    const experiment = { ...plan.experiment, explain: { change: 'covering index' }, ...(judge && { judge }) };
    return { ...made, plan: { ...plan, experiment } };
  };
  const judged: readonly Plan['experiment']['judge'][] = [
    undefined,
    ['p95'],
    [{ statement: 'sell', quantile: 0.99 }],
    ['throughput'],
  ];
  for (const judge of judged) {
    const [{ work, figure } = expect.unreachable()] = tournamentsOf(run(judge), {})[0]!.measures;
    const time = figure === 'throughput' ? null : { work, figure };
    expect(gapsOf(run(judge))[0]!.time, JSON.stringify(judge)).toEqual(time);
  }
  expect(gapsOf(run())[0]).toMatchObject({ time: { work: 'search', figure: 0.95 }, isGain: true });
  expect(gapsOf(run([{ statement: 'sell', quantile: 0.99 }]))[0]!.isGain).toBe(false);
});

it('explains a gap from the combinations of an ordinary run', () => {
  const text = twoVariants(
    {},
    {},
    {
      factors: { connections: [1, 4], callsPerCommit: [1, 10] },
      baseline: { connections: 1, callsPerCommit: 1 },
      explain: { connections: 4, callsPerCommit: 10 },
    },
  );
  const gap = explained(text, { rate: times(3) });
  expect(gap.outcome).toBe('one');
  expect(namesOf(gap)).toEqual(['Connections: 4']);
});

it.each([
  ['two differences', two, 3],
  ['three differences', three, 5],
])('blames something where nothing differs in one run of twenty at most: %s', (_, text, repeats) => {
  const random = new Sfc32(41);
  const runs = 100;
  let wrong = 0;
  for (let run = 0; run < runs; run++)
    if (gapsOf(gapRun(random, text, { rate: () => 1_000, repeats })).some(({ outcome }) => outcome !== 'noGap'))
      wrong++;
  // 5 % of 100 and three standard errors.
  expect(wrong).toBeLessThanOrEqual(11);
});

it('blames an innocent difference beside a guilty one in one run of twenty at most', () => {
  const random = new Sfc32(42);
  const runs = 100;
  let [wrong, found] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const [gap] = gapsOf(gapRun(random, three, { rate: times(2) }));
    if (namesOf(gap!).some((name) => name !== 'Connections: 4')) wrong++;
    if (namesOf(gap!).includes('Connections: 4')) found++;
  }
  expect(wrong).toBeLessThanOrEqual(11);
  expect(found).toBeGreaterThanOrEqual(95);
});
