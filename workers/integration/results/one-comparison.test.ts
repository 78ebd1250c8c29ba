import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ratios } from '#analysis/compare/compare.ts';
import { headlineClaims } from '#analysis/compare/headline-claims.ts';
import { gradeOf } from '#analysis/grade/grade.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { comparisonText } from '#analysis/text/verdict-text.ts';
import { resultsJson } from '#cli/results/results-json.ts';
import { formatChangeBounds } from '#model/format/format.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { pictureOf } from '#presentation/charts/picture/picture.fixture.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { answerOf } from '#presentation/text/answer.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { modelOf, reportOf, results } from './results.fixture.ts';

/** Runs of the fixture's plan with a different duration for each trial. */
const madeUpRuns = fc
  .record({
    repeats: fc.integer({ min: 1, max: 6 }),
    times: fc.array(fc.double({ min: 0.7, max: 1.4, noNaN: true }), { minLength: 48, maxLength: 48 }),
    isFlat: fc.boolean(),
  })
  .map(({ repeats, times, isFlat }) =>
    modelOf(
      fixtureJournal({ connections: [1], repeats }),
      results((result) => ({
        ...result,
        elapsedMs: (isFlat ? 10_000 : result.elapsedMs) * times[result.number % times.length]!,
      })),
    ),
  );

it('shows the same numbers and words of a comparison everywhere', () => {
  fc.assert(
    fc.property(madeUpRuns, (model) => {
      const baseline = baselineOf(model);
      const all = ratios(model, baseline);
      const text = renderText(model);
      const report = reportOf(model).replaceAll(/<[^>]*>|\u2060/g, '');
      const { table } = pictureOf(model);
      const { latency, ...answer } = answerOf(model, baseline);
      expect(resultsJson(model)).toMatchObject({ ratios: all, answer, judgedTimes: latency && {} });
      for (const one of all) {
        const shown = comparisonText(one);
        expect(text).toContain(shown);
        expect(report).toContain(shown);
        if (isContender(model, one.target) && one.verdict !== 'baseline')
          expect(table.rows).toContainEqual(
            expect.arrayContaining([one.variant, one.target, one.ratio.value, one.ratio.low, one.ratio.high]),
          );
        if (one.ratio.low === null || one.ratio.high === null || one.verdict === 'notComparable') continue;
        const holdsOne = one.ratio.low <= 1 && one.ratio.high >= 1;
        expect(shown.includes('not statistically significant')).toBe(holdsOne);
        // The bounds of a difference are in the unit of its value, and those of other ratios contain 1.
        const [, low, high, unit] = /\(([^–]+)–([^)×\s]+)(×|\s%)?\)/.exec(shown)!;
        const equal = unit?.endsWith('%') ? 0 : 1;
        if (Number(low) > 0 && Number(high) > 0) expect(Number(low) <= equal && Number(high) >= equal).toBe(holdsOne);
        if (!holdsOne) expect(shown).toMatch(/^[\d.,]+(×|\s%) (?:faster|slower) \([^)]*\1\)$/);
      }
      const { sentences, fastest, lead } = answer;
      expect(sentences.length).toBeLessThanOrEqual(3);
      expect(sentences[0]).toContain(fastest!.target);
      const claims = headlineClaims(model, baseline);
      const { certainty } = claims.lead!;
      const isQuotable = gradeOf(model)?.level !== 'doNotQuote';
      expect(lead).toBe(certainty === 'certain' && !isQuotable ? 'doNotQuote' : certainty);
      expect(sentences[0]!.includes('; uncertain')).toBe(lead === 'uncertain');
      // A headline shows the interval of the table, and qualifies it if it was chosen among many.
      for (const one of all) {
        if (claims.certain.has(keyOf(one))) expect(['faster', 'slower']).toContain(one.verdict);
        const isDoubted = sentences.some((line) =>
          line.includes(`${formatChangeBounds(one.ratio)}, not certain among`),
        );
        if (isDoubted) expect(claims.certain.has(keyOf(one))).toBe(false);
      }
    }),
    { numRuns: 25 },
  );
}, 120_000);

it('leaves the names of targets as they were written, also where a sentence begins with one', () => {
  const renamed = (text: string) => text.replaceAll('PostgreSQL', 'pgB').replaceAll('SQLite', 'liteB');
  const journal = [...fixtureJournal({ repeats: 5 })];
  const model = modelOf(JSON.parse(renamed(JSON.stringify(journal))) as typeof journal);
  const text = `${renderText(model)} ${reportOf(model)} ${JSON.stringify(answerOf(model, baselineOf(model)))}`;
  expect(text).toContain('pgB');
  expect(text).not.toMatch(/PgB|LiteB/);
});
