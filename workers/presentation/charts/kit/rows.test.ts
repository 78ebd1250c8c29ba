import { expect, test } from 'vitest';
import { drawRows, type Row } from './rows.ts';
import { exactly, scaleOf } from './scale.ts';
import { shapesOf } from './scene.fixture.ts';
import { lightTheme } from './theme.ts';

const row: Row = { name: 'bulk', colour: '#123456', drawn: null, end: '', spoken: '' };
const drawn = (...rows: readonly Row[]) =>
  drawRows(
    {
      ...{ label: 'Rows', origin: 100, axis: { name: 'rows/s', tick: String } },
      ...{ groups: [{ title: null, colour: null, rows }], scale: scaleOf(exactly([100, 10_000]), 'log') },
    },
    lightTheme,
    900,
  );

test('a row without a value says why up to the edge of the drawing, and stands out from the lines of the axis', () => {
  const remark = 'Skipped: SQLite is a library in this process: there is no connection to keep several calls on.';
  const scene = drawn(
    { ...row, remark },
    { ...row, name: 'prepared', drawn: exactly([10_000])[0]!, end: '10k', side: '100× faster, of all rows' },
  );
  const words = shapesOf(scene).find(({ inside }) =>
    inside.some((one) => typeof one !== 'string' && one.inside[0] === remark),
  );
  expect(words?.attributes).toMatchObject({ stroke: lightTheme.background, paintOrder: 'stroke' });
});
