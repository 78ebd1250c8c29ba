import { expect, test } from 'vitest';
import { madeTournament, storeChanges, wideTournament } from '../compare/tournament.fixture.ts';
import { tournamentsOf } from '../compare/tournament.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { tournamentSentence } from './tournament-text.ts';

const sentencesOf = (model: RunModel) =>
  tournamentsOf(model, {}).map((one) =>
    one.rows.map((row) => tournamentSentence(model, one, row).replaceAll('\u00a0', ' ')),
  );

test('one sentence says what each change does, the best first', () => {
  const [sentences] = sentencesOf(madeTournament({ changes: storeChanges }));
  expect(sentences).toEqual([
    'covering index: “search” 40.6× faster (39.9–41.4×), “sell” 10 % slower (8.5–12 %), an index of 12.1 MiB, built in 800 ms.',
    'rewritten: “search” 90 % faster (88–93 %); no difference shown for “sell”.',
    'as it is: the baseline.',
    'same text: no difference shown for “search” and “sell”.',
    'NOT IN: disqualified: “search” gives other answers than with Change: as it is.',
  ]);
});

test('a change that cannot be judged, is skipped or fails says why', () => {
  const [alone] = sentencesOf(madeTournament({ changes: storeChanges, repeats: 1 }));
  expect(alone).toContain('rewritten: cannot tell: too few repeats for “search” and “sell”.');
  const wide = sentencesOf(madeTournament(wideTournament));
  expect(wide[1]).toContain('included column: not run: Its indexes have no included columns.');
  expect(wide[0]).toContain('broken: failed: The index cannot be created.');
});

test('indexes that take the place of others are compared with them', () => {
  const index = (name: string, bytes: number) => [{ name, bytes, buildMs: 200 }];
  const changes = [
    { name: 'plain', indexes: index('plain', 2 ** 20), ms: [10, 1], plan: 'Index Scan' },
    { name: 'wide', indexes: index('wide', 3 * 2 ** 20), ms: [10, 1], plan: 'Index Scan' },
    { name: 'none', ms: [10, 1], plan: 'Seq Scan' },
  ] as const;
  const [sentences] = sentencesOf(madeTournament({ changes }));
  expect(sentences).toContain(
    'wide: an index of 3.00 MiB instead of 1.00 MiB, built in 200 ms; no difference shown for “search” and “sell”.',
  );
  expect(sentences).toContain(
    'none: without the index plain of sales (1.00 MiB); no difference shown for “search” and “sell”.',
  );
});

test('figures of the same calls are told apart', () => {
  const made = madeTournament({ changes: storeChanges });
  const judge = [0.5, 0.95].map((quantile) => ({ statement: 'search', quantile }));
  const [sentences] = sentencesOf({
    ...made,
    plan: { ...made.plan, experiment: { ...made.plan.experiment, judge } },
  });
  expect(sentences![0]).toMatch(/^covering index: p50 of “search” 4.* faster .*, p95 of “search” 40\.6× faster/);
});

test('an index has an unknown cost to writes if nothing writes', () => {
  const made = madeTournament({ changes: storeChanges });
  const { search } = made.plan.experiment.statements!;
  const plan = { ...made.plan, experiment: { ...made.plan.experiment, statements: { search: search! } } };
  const [sentences] = sentencesOf({ ...made, plan });
  const unknown = 'the cost to writes not measured, because nothing writes.';
  expect(sentences![0]).toMatch(
    new RegExp(`^covering index: .*, an index of 12\\.1 MiB, built in 800 ms; ${unknown}$`),
  );
  expect(sentences!.slice(1).join()).not.toContain(unknown);
  // An operation of the dataset that writes has that cost in its own times.
  const variants = plan.variants.map((one) => ({
    ...one,
    settings: { ...one.settings, operation: 'update' as const },
  }));
  expect(sentencesOf({ ...made, plan: { ...plan, variants } })[0]!.join()).not.toContain(unknown);
});
