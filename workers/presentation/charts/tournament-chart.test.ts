import { expect, test } from 'vitest';
import { madeTournament, wideTournament } from '#analysis/compare/tournament.fixture.ts';
import { tournamentsOf } from '#analysis/compare/tournament.ts';
import { tournamentTable } from '../tables/comparison/tournament-table.ts';
import { cssTheme } from './kit/theme.ts';
import { tournamentChart } from './tournament-chart.ts';

test('the picture marks the same differences as not certain as the table', () => {
  const model = madeTournament(wideTournament);
  const all = tournamentsOf(model, {});
  const drawn = JSON.stringify(all.map((one) => tournamentChart(model, one, cssTheme, 800).scene));
  const { rows } = tournamentTable(model, all);
  const doubtful = rows.flatMap(({ cells }) =>
    cells.flatMap((cell) => (typeof cell === 'object' && String(cell.text).endsWith('not certain') ? [cell.text] : [])),
  );
  expect(doubtful.length).toBeGreaterThan(0);
  for (const text of doubtful) expect(drawn).toContain(text);
});
