import { expect, test } from 'vitest';
import { ratios } from '#analysis/compare/compare.ts';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { lightTheme } from './plot/theme.ts';
import { ratioChart, throughputByCell } from './throughput-chart.ts';

const model = fixtureRun({ connections: [1] });
const referenceRate = (variant: string) =>
  model.cells.find((cell) => cell.variant === variant && cell.target === 'No-op engine')!.rowsPerSecond!.value;
const [prepared, multiRow, bulk] = model.plan.variants.map(({ id }) => id) as [string, string, string];

/** The reference does no more than `times` what it did. */
const slower = (times: number): typeof model => ({
  ...model,
  cells: model.cells.map((cell) =>
    cell.target === 'No-op engine'
      ? { ...cell, rowsPerSecond: { ...cell.rowsPerSecond!, value: cell.rowsPerSecond!.value * times } }
      : cell,
  ),
});
const ceilingsOf = (run: typeof model, targets?: readonly string[]) => {
  const { series } = throughputByCell(run, lightTheme, targets ? { targets } : {}).option;
  const last = (series as readonly { readonly name?: string; readonly data: readonly unknown[] }[]).at(-1)!;
  return last.name === undefined ? last.data : [];
};

test('a reference’s rate is a ceiling over the variants that come near it, and over no others', () => {
  expect(ceilingsOf(slower(0.05))).toEqual([
    [0, referenceRate(prepared) * 0.05],
    [1, referenceRate(multiRow) * 0.05],
    [2, referenceRate(bulk) * 0.05],
  ]);
  expect(ceilingsOf(slower(100))).toEqual([]);
  expect(throughputByCell(slower(0.05), lightTheme).note).toContain('a ceiling for all others');
  expect(throughputByCell(slower(100), lightTheme).note).not.toContain('ceiling');
});

test('a reference that is shown itself is no ceiling', () => {
  expect(ceilingsOf(slower(0.05), ['PostgreSQL', 'No-op engine'])).toEqual([]);
});

test('without a reference, calibration is the ceiling over the variants that come near it', () => {
  const calibrated = (perSecond: number): typeof model => ({
    ...model,
    plan: { ...model.plan, targets: model.plan.targets.filter(({ name }) => name !== 'No-op engine') },
    calibration: model.calibration.map((one) => (one.kind === 'noopEngine' ? { ...one, perSecond } : one)),
  });
  const rowsPerCall = model.plan.variants.map(({ settings }) => settings.rowsPerCall);
  const most = Math.max(
    ...model.cells
      .filter(({ variant, target }) => variant === prepared && target !== 'No-op engine')
      .map(({ rowsPerSecond }) => rowsPerSecond?.value ?? 0),
  );
  // The others carry many rows a call, so that their ceiling is far above.
  expect(ceilingsOf(calibrated(most * 2))[0]).toEqual([0, most * 2 * rowsPerCall[0]!]);
  expect(ceilingsOf(calibrated(most * 1_000))).toEqual([]);
  expect(throughputByCell(calibrated(most * 2), lightTheme).note).toContain('calibration reached');
});

test('the axis of ratios does not follow an interval by decades, and leaves room for the label behind it', () => {
  const compared = ratios(model, { target: 'PostgreSQL' }).filter(({ target }) => target !== 'No-op engine');
  const scattering = compared.map((one) => ({ ...one, ratio: { ...one.ratio, low: 1e-9, high: 1e9 } }));
  const values = compared.map(({ ratio }) => ratio.value);
  const axisOf = (all: typeof compared) => {
    const { xAxis, grid } = ratioChart(model, all, lightTheme).option;
    const { min, max } = xAxis as { readonly min: number; readonly max: number };
    return { min, max, roomPx: (grid as { readonly right: number }).right };
  };
  const [usual, wide] = [axisOf(compared), axisOf(scattering)];
  expect(wide.min).toBeGreaterThan(Math.min(...values) / 30);
  expect(wide.max).toBeLessThan(Math.max(...values) * 30);
  expect(wide.roomPx).toBeGreaterThan(usual.roomPx);
});
