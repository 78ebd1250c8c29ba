import { expect, test } from 'vitest';
import { tournamentsOf } from '#analysis/compare/tournament.ts';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import { tournamentTable } from './tournament-table.ts';

test('the scale of throughput shows faster variants on the left of the baseline, and none outside of it', () => {
  const duel = readRun(fixtureJournal({ connections: [1, 4] }));
  const factors = { way: { slow: { connections: 1 }, fast: { connections: 4 } } };
  const model = { ...duel, plan: { ...duel.plan, experiment: { ...duel.plan.experiment, factors } } };
  const marks = tournamentTable(model, tournamentsOf(model, {})).rows.flatMap(({ cells }) =>
    cells.flatMap((cell) => (typeof cell === 'object' && cell.mark ? [[String(cell.text), cell.mark] as const] : [])),
  );
  expect(marks.some(([text]) => text.includes('faster'))).toBe(true);
  for (const [text, { ratio, range }] of marks) {
    const [low, high] = range;
    expect(ratio.value, text).toBeGreaterThanOrEqual(low);
    expect(ratio.value, text).toBeLessThanOrEqual(high);
    if (text.includes('faster')) expect(ratio.value, text).toBeLessThan(1);
  }
});
