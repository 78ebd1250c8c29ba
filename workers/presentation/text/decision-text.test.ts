import { expect, it } from 'vitest';
import { decisionOf } from '#analysis/rehearsal/decision.ts';
import { planted } from '#analysis/rehearsal/rehearsal.fixture.ts';
import { decisionCsv, decisionTable } from '../tables/comparison/decision-table.ts';
import { decisionAnswer, decisionNote } from './decision-text.ts';

it('says in one sentence what is covered, what is worse and by how much, and what does not run', () => {
  const model = planted();
  const statements = { ...model.plan.experiment.statements! };
  statements.s2 = { ...statements.s2!, notOn: { t1: 'operator does not exist: text = integer' } };
  const decided = { ...model, plan: { ...model.plan, experiment: { ...model.plan.experiment, statements } } };
  const { headline, certainty, details, lead } = decisionAnswer(decided)!;
  expect(headline).toMatch(
    /^40\.0\s% of the server’s time is covered; on t1, 1 statement is worse for certain, at [12]\.\d+× \([\d.]+–[\d.]+\) the time, and 1 does not run$/,
  );
  expect(certainty).toBe('Certain at 95 % among 5 comparisons');
  expect(lead).toBe('certain');
  expect(details).toEqual([expect.stringMatching(/^t1: 1 worse, 1 does not run, .*Total time: \d+\s% more \(/)]);
  const decision = decisionOf(decided)!;
  const table = decisionTable(decision, decision.candidates[0]!);
  const rows = table.rows.map(({ cells }) => cells.map((cell) => (typeof cell === 'string' ? cell : cell.text)));
  expect(table.columns.map(({ title }) => title)).toEqual([
    'Statement',
    'Share of time',
    'Verdict',
    'mean against t0',
    't0',
    't1',
  ]);
  expect(rows.find(([name]) => name === 's2')!.slice(2, 4)).toEqual([
    'does not run',
    'operator does not exist: text = integer',
  ]);
  expect(rows.find(([name]) => name === 's3')![2]).toBe('worse');
  expect(rows.find(([name]) => name === 's3')![3]).toMatch(/slower \(/);
  const csv = decisionCsv(decision);
  expect(csv.rows).toHaveLength(4);
  expect(csv.rows.find((row) => row[2] === 's3')!.slice(0, 5)).toEqual(['t1', 't0', 's3', 0.1, 'worse']);
  expect(decisionNote(decision)).toContain('all 5 comparisons together');
});

it('says that nothing is worse where nothing is, and nothing of shares that the file has not', () => {
  const model = planted({ ms: () => 10 });
  const statements = Object.fromEntries(
    Object.entries(model.plan.experiment.statements!).map(([name, { timeShare: _, ...one }]) => [name, one]),
  );
  const unknown = { ...model, plan: { ...model.plan, experiment: { ...model.plan.experiment, statements } } };
  expect(decisionAnswer(unknown)!.headline).toBe(
    'The file has no shares of the server’s time; on t1, no statement is worse for certain',
  );
});

it('is in doubt where a single repeat shows nothing', () => {
  const { lead, certainty } = decisionAnswer(planted({ repeats: 1 }))!;
  expect(lead).toBe('uncertain');
  expect(certainty).toBe('Nothing is shown: more repeats or longer trials would narrow the intervals');
});
