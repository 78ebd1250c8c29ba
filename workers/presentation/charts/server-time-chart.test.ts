import { init } from 'echarts';
import { expect, test } from 'vitest';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import type { ProbeInfo } from '#engine-api/probe.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { cssTheme, darkTheme, lightTheme } from './kit/theme.ts';
import { createSvgRenderer } from './plot/render-svg.ts';
import { serverTimeChart } from './server-time-chart.ts';

const infos: Readonly<Record<string, ProbeInfo>> = {
  running: { unit: 'count', label: 'Running', class: 'cpu' },
  'wait:*': { unit: 'count', label: 'Waiting', class: 'log' },
  checkpoints: { unit: 'count', label: 'Checkpoints', role: 'checkpoints' },
};

/**
 * A run in which PostgreSQL reports one session at work and two waiting for the log, and a checkpoint in the third
 * second.
 */
function drawn() {
  const told = (record: JournalRecord): JournalRecord => {
    if (record.record === 'target' && record.target.name === 'PostgreSQL')
      return { ...record, target: { ...record.target, probeInfo: infos } };
    if (record.record !== 'probe') return record;
    const counters = { checkpoints: record.atMs > 2_500 ? 1 : 0 };
    return { ...record, sample: { counters, gauges: { running: 1, 'wait:a:b': 2 }, unavailable: [] } };
  };
  const model = readRun(Array.from(fixtureJournal({ connections: [4], repeats: 2 }), told));
  const views = model.trials.filter(
    ({ trial }) => trial.variant.startsWith('method=prepared') && trial.repeat === 1 && trial.target !== 'No-op engine',
  );
  return serverTimeChart(model, views, lightTheme);
}

test('classes lie on each other under the throughput, on its time axis', () => {
  const { option, data } = drawn();
  const titles = (option.title as readonly { readonly text: string }[]).map(({ text }) => text);
  // SQLite reports no server time, so it has no band.
  expect(titles).toEqual(['Throughput (rows/s)', 'Server’s time (sessions, sampled)']);
  const series = option.series as readonly {
    readonly name?: string;
    readonly stack?: string;
    readonly data: unknown[];
  }[];
  const bands = series.filter(({ stack }) => stack !== undefined);
  expect(bands.map(({ name }) => name)).toEqual(['processor', 'log and commit']);
  expect(new Set(bands.map(({ stack }) => stack)).size).toBe(1);
  expect(new Set(bands.map(({ data: points }) => points.length)).size).toBe(1);
  const [cpu, log] = ['cpu (sessions)', 'log (sessions)'].map((name) => data.columns.indexOf(name));
  expect(data.rows.length).toBeGreaterThan(2);
  for (const row of data.rows) expect([row[cpu!], row[log!]]).toEqual([1, 2]);
});

test('a class stands in its band by name, besides the legend', () => {
  const texts = [...createSvgRenderer(init)(drawn()).matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
  for (const name of ['processor', 'log and commit']) expect(texts.filter((text) => text === name)).toHaveLength(2);
});

test('a checkpoint is a mark in the band, and a number in the table', () => {
  const { note, data, option } = drawn();
  expect(note).toContain('checkpoint');
  expect(JSON.stringify(option)).toContain('"formatter":"checkpoint"');
  const counted = data.columns.indexOf('checkpoints');
  expect(data.rows.map((row) => row[counted]).filter((count) => count !== 0)).toEqual([1]);
});

test('no class has the colour of a target or of another class, in either theme', () => {
  for (const theme of [lightTheme, darkTheme]) {
    const classes = Object.values(theme.classes);
    const all = [...classes, ...theme.series];
    for (const colour of classes) expect(all.filter((one) => one === colour)).toHaveLength(1);
  }
  expect(cssTheme.classes.log).toBe('var(--chart-class-log)');
});
