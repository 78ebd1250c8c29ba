import { expect, it } from 'vitest';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { comparedBy } from '#cli/results/compare-option.ts';
import { resultsJson } from '#cli/results/results-json.ts';
import type { Compare } from '#planning/rates/baseline.ts';
import { renderText } from '#presentation/terminal/run-text.ts';

const model = fixtureRun({ connections: [1] });
const asked = (word: Compare) => comparedBy({ compare: word });

it('compares in text and JSON what --compare asks for, and otherwise what the experiment says', () => {
  expect(resultsJson(model, { compare: comparedBy({}) })).toMatchObject({
    compare: 'targets',
    baseline: { target: 'PostgreSQL' },
    bestOfEach: {
      fastest: { target: 'PostgreSQL', variant: 'method=bulk connections=1' },
      others: [{ target: 'SQLite', verdict: 'faster' }],
    },
  });
  expect(resultsJson(model, { compare: asked('levels') })).toMatchObject({
    compare: 'levels',
    baseline: { variant: 'method=prepared connections=1' },
    bestOfEach: null,
  });
  expect(renderText(model)).toContain('Ratios refer to the same variant on PostgreSQL');
  expect(renderText(model, { compare: asked('levels') })).toMatch(/Ratios refer to prepared.* on the same target/);
});

it('refuses another word', () => {
  expect(() => comparedBy({ compare: 'engines' })).toThrow('--compare takes “targets” or “levels”.');
});
