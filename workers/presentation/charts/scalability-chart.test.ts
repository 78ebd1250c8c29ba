import { init } from 'echarts';
import { describe, expect, it } from 'vitest';
import { sweepModel } from '#analysis/compare/sweep.fixture.ts';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { lightTheme } from './kit/theme.ts';
import { createSvgRenderer } from './plot/render-svg.ts';
import { scalability } from './scalability-chart.ts';
import { sweep } from './sweep-chart.ts';
import { throughputLatency } from './throughput-latency-chart.ts';

const render = createSvgRenderer(init);
const loads = [1, 2, 4, 8, 16, 32];
const truth = { lambda: 10_000, sigma: 0.15, kappa: 0.002 };
const only = { targets: ['PostgreSQL'] };

describe('the chart of scalability', () => {
  it('has knee and peak with their intervals in words, and a table of every repeat with the law beside it', () => {
    const chart = scalability(sweepModel({ loads, truth }), lightTheme, only);
    const svg = render(chart);
    expect(svg).toContain('PostgreSQL · prepared (rows/s)');
    expect(svg).toMatch(/knee \d+ \(\d+–\d+\)/);
    expect(svg).toMatch(/peak \d+ \(\d+–\d+\)/);
    expect(svg).not.toMatch(/NaN/);
    expect(chart.note).not.toContain('Hollow');
    expect(chart.note).not.toContain('Dashed');
    const prepared = chart.data.rows.filter(([method]) => method === 'prepared');
    expect(prepared).toHaveLength(loads.length * 3);
    expect(prepared[0]).toHaveLength(chart.data.columns.length);
    const [low, high] = [chart.data.columns.indexOf('low'), chart.data.columns.indexOf('high')];
    for (const row of prepared) expect(Number(row[low])).toBeLessThan(Number(row[high]));
  });

  it('calls what lies beyond the loads extrapolated', () => {
    const chart = scalability(sweepModel({ loads: [1, 2, 3, 4, 6, 8], truth, noise: 0.002 }), lightTheme, only);
    expect(chart.note).toContain('The dashed part is extrapolated');
    expect(render(chart)).toContain('stroke-dasharray="4 4"');
  });

  it('says that hollow points are client-bound, and has no law where they leave too few', () => {
    const chart = scalability(sweepModel({ loads, truth, saturatedFrom: 16 }), lightTheme, only);
    expect(chart.note).toContain('Hollow points are client-bound');
    expect(render(chart)).not.toMatch(/knee|peak/);
    expect(chart.data.rows.some((row) => row.includes('yes'))).toBe(true);
  });

  it('is not there for fewer than five loads: the plain chart says why', () => {
    const model = sweepModel({ loads: [1, 2, 4, 8] });
    expect(scalability(model, lightTheme).data.rows).toEqual([]);
    expect(sweep(model, 'connections', lightTheme).note).toMatch(
      /The scalability law was not fitted\. .* 4 are in the/,
    );
    expect(sweep(sweepModel({ loads }), 'connections', lightTheme).note).not.toContain('law');
  });
});

describe('the chart of latency over throughput', () => {
  it('has one line a target in panels of p50 and p99, its points labelled with connections', () => {
    const chart = throughputLatency(sweepModel({ loads, truth }), lightTheme);
    const svg = render(chart);
    for (const text of ['p50 · prepared', 'p99 · prepared', '1 PostgreSQL', '1 SQLite', '>32<'])
      expect(svg).toContain(text);
    const row = chart.data.rows.find(([method, target]) => method === 'prepared' && target === 'PostgreSQL')!;
    expect(row).toHaveLength(chart.data.columns.length);
    expect(Number(row.at(-1))).toBeGreaterThan(Number(row.at(-2)));
  });

  it('names targets beside points only where few share a panel', () => {
    const svg = (count: number) =>
      render(
        throughputLatency(
          madeRun({
            factors: { connections: [1, 2, 4] },
            targets: Array.from({ length: count }, (_, i) => ({ name: `server ${i + 1}` })),
            trial: ({ settings, target }) => ({ rate: settings.connections * 1_000 * Number(target.at(-1)) }),
          }),
          lightTheme,
        ),
      );
    expect(svg(3)).toContain('>1 server 3<');
    expect(svg(4)).not.toContain('>1 server 3<');
    expect(svg(4)).toContain('>server 4<');
  });

  it('is not there for two loads', () => {
    expect(throughputLatency(sweepModel({ loads: [1, 8] }), lightTheme).data.rows).toEqual([]);
  });
});
