import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { heads, type PanelTable as PanelTableData, words } from '#presentation/tables/shared/panel-table.ts';
import { PanelTable } from './panel-table.tsx';

vi.mock('../state/theme.ts', () => ({ useTheme: () => 'light' }));

test('the first cell of a row names it, unless it is empty', () => {
  const table: PanelTableData = {
    columns: [...heads('Left'), ...words('Right')],
    rows: [{ cells: ['Result', ''] }, { cells: ['', 'Values Scan'] }],
  };
  const html = renderToString(<PanelTable model={fixtureRun({ connections: [1] })} table={table} />);
  expect(html).toContain('<th scope="row">Result</th>');
  expect(html).not.toMatch(/<th scope="row"[^>]*><\/th>/);
});
