import { expect, test } from 'vitest';
import {
  type MadeTournament,
  madeTournament,
  storeChanges,
  wideTournament,
} from '#analysis/compare/tournament.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { answerOf } from './answer.ts';

const answer = (model: RunModel) => answerOf(model, baselineOf(model));
const madeAnswer = (made: MadeTournament) => answer(madeTournament(made));

test('with several targets, the facts have the judged time, and the best change on every other target', () => {
  const { headline, facts } = madeAnswer(wideTournament);
  expect(headline).toMatch(/ on SQL Server, search is /);
  expect(facts.map(([name]) => name)).toEqual([
    expect.stringMatching(/^Not comparable/),
    'Judged',
    'Best on PostgreSQL 18',
    'Best on MariaDB',
    'Best on SQLite',
    'Answers',
  ]);
});

test('without a certain difference, few repeats are the reason only where changes were compared', () => {
  const otherAnswers = storeChanges.filter(({ name }) => ['as it is', 'NOT IN'].includes(name));
  expect(madeAnswer({ changes: storeChanges, repeats: 1 }).certainty).toMatch(/^Uncertain: too few repeats/);
  const { certainty } = madeAnswer({ changes: otherAnswers });
  expect(certainty).toMatch(/^No change has a result that can be compared/);
});

test('the headline names the figure where several are judged', () => {
  const made = madeTournament({ changes: storeChanges });
  const judge = [0.5, 0.95].map((quantile) => ({ statement: 'search', quantile }));
  const plan = { ...made.plan, experiment: { ...made.plan.experiment, judge } };
  expect(answer({ ...made, plan }).headline).toMatch(/^With “covering index”, p\d+ of search is /);
});

test('a change whose answers differ on one target is not called equal', () => {
  const made = madeTournament({ changes: storeChanges, targets: ['PostgreSQL', 'MariaDB'] });
  const trials = made.trials.map((view) =>
    view.trial.target === 'MariaDB' || !view.result?.answers
      ? view
      : {
          ...view,
          result: {
            ...view.result,
            answers: view.result.answers.map((one) => ({ ...one, outcome: 'equal' as const })),
          },
        },
  );
  const answers = answer({ ...made, trials }).facts.find(([name]) => name === 'Answers');
  expect(answers![1]).toBe('equal for 20 draws with rewritten, same text; differ with NOT IN on MariaDB');
});
