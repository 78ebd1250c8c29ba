import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { galleryTargets } from '#planning/gallery-targets.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import type { Plan } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import type { ThumbnailFigures } from '../charts/thumbnail-figures.ts';
import { stories, storiesOf } from './stories.ts';
import type { Claim, Press, Story } from './story.ts';
import { keptRatios, storyText } from './story-text.ts';

const folder = new URL('../../../experiments/', import.meta.url);
const descriptors = catalog.map(({ descriptor }) => descriptor);
const targets = galleryTargets(descriptors);
const plans = new Map<string, Plan>();

/** The plan of what a story presses, on the engine of the story, or else on the targets of the file. */
function planOf({ experiment, size, set = [] }: Press, engine?: string): Plan {
  const name = JSON.stringify([experiment, size, set, engine]);
  const known = plans.get(name);
  if (known) return known;
  const written = parseFile(readFileSync(new URL(`${experiment}.dyno.yaml`, folder), 'utf8'));
  const ofSize = size === undefined ? written : parseFile(setIn(written, ['size'], size));
  const file = set.length === 0 ? ofSize : parseFile(applyOverrides(ofSize, set));
  const target = targets.find(({ id }) => id === engine);
  expect(engine === undefined || target !== undefined, `the engine ${engine}`).toBe(true);
  const { baseline: _, ...rest } = file.experiment!;
  const on = target ? { ...file, experiment: { ...rest, targets: [target.spec] } } : file;
  const { plan, diagnostics } = planExperiment(on, { catalog: descriptors });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  plans.set(name, plan!);
  return plan!;
}

const figuresOf = (experiment: string): ThumbnailFigures | null => {
  const file = `${experiment}.json`;
  const has = readdirSync(new URL('pictures/', folder)).includes(file);
  return has ? (JSON.parse(readFileSync(new URL(`pictures/${file}`, folder), 'utf8')) as ThumbnailFigures) : null;
};

const items = stories.flatMap((story) => story.items.map((item) => ({ name: `${story.id}: ${item.what}`, item })));
const claims = stories.flatMap((story) => story.claims.map((claim) => ({ name: `${story.id}: ${claim.what}`, claim })));

describe('the published stories', () => {
  it.each(items)('$name can be repeated as far as it is marked', ({ item }) => {
    const { mark, press, reason, levels, engine } = item;
    expect(mark === 'asWritten').toBe(reason === undefined);
    expect(mark === 'cannot').toBe(press === undefined);
    if (press === undefined) return;
    const plan = planOf(press, engine);
    const running = new Set(plan.trials.map(({ variant }) => variant));
    const found = plan.variants.filter(
      (variant) =>
        running.has(variant.id) &&
        Object.entries(levels ?? {}).every(([name, level]) => String(variant.levels[name]) === String(level)),
    );
    expect(found.length, JSON.stringify(levels)).toBeGreaterThan(0);
  });

  it.each(claims)('$name names an experiment that runs, and figures that a kept run has', ({ claim }) => {
    expect(planOf(claim.press).trials.length).toBeGreaterThan(0);
    if (claim.kept === null) return;
    const figures = figuresOf(claim.kept.experiment);
    expect(figures).not.toBeNull();
    expect(keptRatios(claim.kept, figures!).length).toBeGreaterThan(0);
  });

  it('have most of their things as written, each once', () => {
    const names = items.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(items.filter(({ item }) => item.mark === 'asWritten').length).toBeGreaterThanOrEqual(75);
  });

  it('are found from the experiments that they name', () => {
    expect(storiesOf('date-range').map(({ id }) => id)).toEqual(['ravendb-bottlenecks']);
    expect(storiesOf('random-key-decay').map(({ id }) => id)).toEqual(['migration-to-sql-server', 'retail-mix']);
    expect(storiesOf('tpc-b')).toEqual([]);
  });
});

const claim: Claim = {
  ...{ what: 'many', published: '67 → 4 s', isFaster: true, press: { experiment: 'insert-duel' }, note: 'So.' },
  kept: { experiment: 'insert-duel', from: '1', to: '1,000' },
};
const story: Story = { id: 'x', title: 'X', year: '2011', source: 'S', told: 'T', claims: [claim], items: [] };
const figures = (series: ThumbnailFigures['series']): ThumbnailFigures => ({
  ...{ name: 'N', title: 'Throughput', values: 'rates', isLine: true, series },
  axis: {
    ...{ name: 'Rows per call', needsAll: false, namesItself: false },
    labels: [
      { at: 0.25, text: '1' },
      { at: 0.75, text: '1,000' },
    ],
  },
});
const one = (target: string, values: readonly (number | null)[]) => ({ target, index: 0, values, at: [0.25, 0.75] });
const told = (series: ThumbnailFigures['series']) => storyText(story, () => figures(series));

describe('a measured ratio', () => {
  it('agrees in its direction where every engine agrees', () =>
    expect(told([one('A', [10, 40]), one('B', [10, 20])])).toContain('| A 4.00×, B 2.00×: same direction |'));

  it('says where engines differ, disagree, or are about equal', () => {
    expect(told([one('A', [10, 40]), one('B', [10, 5])])).toContain('same direction in part');
    expect(told([one('A', [10, 5])])).toContain('opposite direction');
    expect(told([one('A', [10, 10.5])])).toContain('about equal');
  });

  it('leaves out an engine without one of the two sides, and a card without figures', () => {
    expect(told([one('A', [10, null]), one('B', [10, 20])])).toContain('| B 2.00×: same direction |');
    expect(storyText(story, () => null)).toContain('no figures');
  });

  it('compares the speed, where the figures are times', () => {
    const times = { ...figures([one('A', [10, 5])]), values: 'times' as const };
    expect(keptRatios(claim.kept!, times)).toEqual([{ target: 'A', ratio: 2 }]);
  });

  it('takes the first and the last fifth of a timeline', () => {
    const line = { target: 'A', index: 0, values: [8, 12, 5, 5, 5, 5, 5, 5, 2, 4], at: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] };
    const kept = { experiment: 'insert-duel', from: 'start', to: 'end' };
    expect(keptRatios(kept, figures([line]))).toEqual([{ target: 'A', ratio: 0.3 }]);
  });
});
