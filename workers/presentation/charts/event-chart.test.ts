import { init } from 'echarts';
import { describe, expect, it } from 'vitest';
import { fixtureJournal, fixtureRun, readRun } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { eventSummaries } from '#analysis/server/event-summary.ts';
import { withServerEvents } from '#analysis/server/server-events.fixture.ts';
import { serverEvents } from './event-chart.ts';
import { lightTheme } from './kit/theme.ts';
import { createSvgRenderer } from './plot/render-svg.ts';
import { runTimeline } from './run-timeline.ts';

const renderSvg = createSvgRenderer(init);

function read(rate = 1, targets: readonly string[] = ['PostgreSQL'], listed?: number): RunModel {
  const journal = fixtureJournal({ connections: [1], repeats: 2 });
  return readRun(targets.reduce((all, target) => withServerEvents(all, target, rate, listed), journal));
}
const variant = 'method=prepared connections=1';
const viewsOf = ({ trials }: RunModel, repeat = 1) =>
  trials.filter(({ trial }) => trial.variant === variant && trial.repeat === repeat);

/** Counts the bars of a colour. All other marks of that colour are lines or symbols. */
const bars = (svg: string, colour: string) =>
  [...svg.matchAll(/<path d="([^"]*)"[^>]*fill="([^"]*)"[^>]*fill-opacity="0\.8"|<rect[^>]*fill="([^"]*)"/g)].filter(
    (match) => match[2] === colour || match[3] === colour,
  );

describe('the server’s own work', () => {
  const model = read();
  const chart = serverEvents(model, viewsOf(model), lightTheme);

  it('has a lane for each kind, in the engine’s words and order, under the throughput', () => {
    const titles = (chart.option.title as { text: string }[]).map(({ text }) => text);
    expect(titles[0]).toBe('Throughput (rows/s)');
    expect(titles.slice(1).map((title) => title.split(':')[0])).toEqual(['Journal write', 'Data flush', 'Data sync']);
    const axes = chart.option.xAxis as { min: number; max: number }[];
    expect(new Set(axes.map(({ min, max }) => `${min} ${max}`)).size).toBe(1);
    const scales = (chart.option.yAxis as { min: number; max: number }[]).slice(1);
    expect(new Set(scales.map(({ min, max }) => `${min} ${max}`)).size).toBe(1);
  });

  it('draws a bar for every event, and has each in its table', () => {
    const [view] = viewsOf(model).filter(({ trial }) => trial.target === 'PostgreSQL');
    const all = Object.values(view!.series.events).reduce((sum, { count }) => sum + count, 0);
    expect(all).toBeGreaterThan(200);
    expect(chart.data.rows).toHaveLength(all);
    expect(bars(renderSvg(chart), lightTheme.series[0]!)).toHaveLength(all);
    expect(chart.note).toContain('Repeat 1 of 2');
    expect(chart.note).not.toContain('drawn as');
  });

  it('draws fewer marks of thousands, says so, and loses none of the sums', () => {
    const busy = read(40);
    const crowded = serverEvents(busy, viewsOf(busy), lightTheme);
    const column = (name: string) => crowded.data.rows.map((row) => row[crowded.data.columns.indexOf(name)] as number);
    const events = column('events').reduce((sum, count) => sum + count, 0);
    expect(events).toBeGreaterThan(10_000);
    expect(crowded.note).toMatch(/pieces of work are drawn as [\d,]+ bars/);
    expect(bars(renderSvg(crowded), lightTheme.series[0]!).length).toBeLessThanOrEqual(1_500);
    const [summary] = eventSummaries({ ...busy, trials: viewsOf(busy) });
    expect(summary).toMatchObject({ kind: 'JournalWrite', label: 'Journal write', target: 'PostgreSQL', variant });
    expect(summary!.p99Ms).toBeGreaterThan(summary!.p50Ms!);
    expect(summary!.maxMs).toBeGreaterThanOrEqual(summary!.p99Ms! * 0.999);
    const own = crowded.data.rows.filter((row) => row[3] === 'JournalWrite');
    expect(own.reduce((sum, row) => sum + (row[10] as number), 0)).toBe(summary!.bytes);
  });

  it('draws what the server tells only in sums as such, and gives no percentiles of it', () => {
    const whole = read(40);
    const summed = read(40, ['PostgreSQL'], 100);
    const paleOf = (svg: string) => svg.match(/fill-opacity="0\.25"|opacity="0\.25"/g) ?? [];
    const crowded = serverEvents(summed, viewsOf(summed), lightTheme);
    expect(crowded.note).toContain('A pale bar stands for several');
    const few = read(12, ['PostgreSQL'], 40);
    expect(serverEvents(few, viewsOf(few), lightTheme).note).not.toContain('drawn as');
    expect(paleOf(renderSvg(crowded)).length).toBeGreaterThan(20);
    expect(paleOf(renderSvg(serverEvents(whole, viewsOf(whole), lightTheme)))).toEqual([]);
    const [told, listed] = [whole, summed].map((run) => eventSummaries({ ...run, trials: viewsOf(run) })[0]!);
    expect(listed).toMatchObject({
      count: told!.count,
      bytes: told!.bytes,
      maxMs: told!.maxMs,
      p50Ms: null,
      p99Ms: null,
    });
    expect(listed!.totalMs).toBeCloseTo(told!.totalMs, 6);
    expect(told!.p50Ms).not.toBeNull();
  });

  it('says whose lane it is where several servers tell of work', () => {
    const both = read(1, ['PostgreSQL', 'SQLite']);
    const titles = serverEvents(both, viewsOf(both), lightTheme).option.title as { text: string }[];
    expect(titles.map(({ text }) => text).filter((text) => text.startsWith('Journal write, '))).toHaveLength(2);
  });

  it('is not there where no server tells of any', () => {
    const silent = fixtureRun({ connections: [1] });
    expect(serverEvents(silent, viewsOf(silent), lightTheme).data.rows).toEqual([]);
    expect(eventSummaries(silent)).toEqual([]);
  });

  it('stands in the timeline of the run at the time of its trial', () => {
    const timeline = runTimeline(model, lightTheme);
    const svg = renderSvg(timeline);
    expect(svg).toContain('Data flush: ');
    const series = timeline.option.series as { name: string; type: string; data: number[][] }[];
    const flushes = series.find(({ name, type }) => name === 'Data flush' && type === 'custom')!;
    const starts = model.trials
      .filter(({ trial }) => trial.target === 'PostgreSQL')
      .map((view) => view.measuredFromMs!);
    expect(flushes.data[0]![0]).toBe(Math.min(...starts));
  });
});
