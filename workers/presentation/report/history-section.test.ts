import { expect, it } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { standardChoices } from '#protocol/report-choices.ts';
import { cssTheme } from '../charts/kit/theme.ts';
import { madeHistory } from '../charts/made-history.fixture.ts';
import { markdownReport, type ReportOptions, reportDocument } from './report.ts';

const run = madeRun({});
const history = madeHistory({ runs: 8, cells: 10, changeAt: 5 });

const options = (more: Partial<ReportOptions>): ReportOptions => ({ ...standardChoices, note: '', history, ...more });
const sectionsOf = (more: Partial<ReportOptions> = {}) =>
  (reportDocument(run, cssTheme, { ...options(more), logo: null }).appendix ?? []).filter(({ title }) =>
    title.startsWith('History'),
  );

it('shows the answer, the changes of level, and the charts with the greatest changes', () => {
  const [first, ...charts] = sectionsOf();
  expect(first!.blocks.map(({ kind }) => kind)).toContain('table');
  expect(first!.note).toContain('8 runs up to this one');
  expect(charts.map(({ title }) => title)).toContain('History: throughput of browse on shop');
  expect(charts).toHaveLength(6);
  for (const { blocks } of charts) expect(blocks).toMatchObject([{ kind: 'chart' }]);
  const markdown = markdownReport(run, options({}));
  expect(markdown).toContain('### History');
  expect(markdown).toMatch(/\| throughput of browse on shop \|.*\| 60\s% higher \(57–63\s%\) \|.*shared_buffers/);
});

it('is there for an experiment with earlier runs, if it is chosen and no engine is hidden', () => {
  expect(sectionsOf({ sections: ['history'] })).toHaveLength(7);
  expect(sectionsOf({ sections: ['answer', 'numbers'] })).toEqual([]);
  expect(sectionsOf({ history: madeHistory({ runs: 1, cells: 2 }) })).toEqual([]);
  expect(sectionsOf({ history: null })).toEqual([]);
  expect(sectionsOf({ hidesEngines: true })).toEqual([]);
});

it('has all moments in UTC, as the head of the report has', () => {
  const runs = history.runs.map((one, i) => ({
    ...one,
    startedAt: new Date(Date.UTC(2026, 11, 31, 20 + 2 * i)).toISOString(),
  }));
  const zone = process.env.TZ;
  const inZone = (name: string) => {
    process.env.TZ = name;
    return JSON.stringify(sectionsOf({ history: { ...history, runs } }));
  };
  try {
    expect(inZone('UTC')).toContain('Jan 1, 2027, 06:00');
    expect(inZone('Etc/GMT+12')).toBe(inZone('UTC'));
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});
