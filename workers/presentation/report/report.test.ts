import { hash } from 'node:crypto';
import { init } from 'echarts';
import { describe, expect, it } from 'vitest';
import { compareWithReference } from '#analysis/between-runs/compare-with-reference.ts';
import { madeTournament, storeChanges } from '#analysis/compare/tournament.fixture.ts';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { machineUseOf } from '#analysis/run-model/journal-parts.fixture.ts';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { withServerEvents } from '#analysis/server/server-events.fixture.ts';
import { textColumns } from '#model/format/text-columns.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { type SectionName, standardChoices } from '#protocol/report-choices.ts';
import { serverCounters } from '../charts/counter-chart.ts';
import { serverEvents } from '../charts/event-chart.ts';
import type { Chart } from '../charts/kit/chart.ts';
import { cssTheme, darkTheme } from '../charts/kit/theme.ts';
import { latencyByPercentile, latencyHistogram } from '../charts/latency-charts.ts';
import { createSvgRenderer } from '../charts/plot/render-svg.ts';
import { runTimeline } from '../charts/run-timeline.ts';
import { clientShares } from '../charts/share-chart.ts';
import { numericFactors, sweep } from '../charts/sweep-chart.ts';
import { clientHealth, throughputOverRows, throughputOverTime } from '../charts/time-panels.ts';
import { toCsv } from '../tables/shared/csv.ts';
import { renderComparison } from '../terminal/comparison-text.ts';
import { renderText } from '../terminal/run-text.ts';
import { renderReport } from './report.ts';

const renderSvg = createSvgRenderer(init);
const sha256 = (text: string): string => hash('sha256', text, 'base64');

const reportOf = (run: RunModel, anonymous = false, more: Partial<Parameters<typeof renderReport>[1]> = {}): string =>
  renderReport(run, {
    ...standardChoices,
    ...{ hidesEngines: anonymous, logo: null, note: '', renderSvg, sha256 },
    ...more,
  });

const read = (change: (record: JournalRecord) => JournalRecord = (record) => record): RunModel =>
  readRun(Array.from(withServerEvents(fixtureJournal({ connections: [1, 4] })), change));
const model = read();
const empty: RunModel = {
  ...model,
  status: 'running',
  trials: model.trials.map((view) => ({ ...view, result: null, series: { ...view.series, atMs: [] } })),
  cells: [],
};

/** The text and style sheets of well-formed XML, without its tags. */
const outsideOfTags = (svg: string) =>
  svg
    .replace(/<style\s*>\s*<!\[CDATA\[.*?\]\]>\s*<\/style>/gs, '')
    .replace(/<\/?[a-zA-Z][\w:-]*(\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '');

describe('charts', () => {
  const allOf = (run: RunModel): readonly Chart[] => [
    sweep(run, 'connections', darkTheme),
    throughputOverTime(run, cssTheme),
    throughputOverRows(run, cssTheme),
    latencyByPercentile(run, cssTheme),
    latencyHistogram(run, cssTheme),
    clientShares(run, cssTheme),
    runTimeline(run, cssTheme),
    clientHealth(run, run.trials.slice(0, 2), cssTheme),
    ...serverCounters(run, run.trials.slice(0, 4), cssTheme),
    serverEvents(run, run.trials.slice(0, 4), cssTheme),
  ];

  it.each(allOf(model).map((chart) => [chart.id, chart] as const))(
    '%s draws, with its numbers beside it',
    (_, chart) => {
      const svg = renderSvg(chart);
      expect(svg).toMatch(/^<svg /);
      expect(svg.match(/NaN|undefined|Infinity/)).toBeNull();
      expect(outsideOfTags(svg).match(/[<>]/)).toBeNull();
      expect(chart.data.rows.length).toBeGreaterThan(0);
      for (const row of chart.data.rows) expect(row).toHaveLength(chart.data.columns.length);
      expect(toCsv(chart.data).split('\r\n').length).toBe(chart.data.rows.length + 2);
    },
  );

  it.each(allOf(empty).map((chart) => [chart.id, chart] as const))('%s draws a run without results', (_, chart) => {
    expect(renderSvg(chart)).toMatch(/^<svg /);
  });

  it('give a target one colour wherever it appears', () => {
    const colours = (chart: Chart) => renderSvg(chart).match(/var\(--chart-series-\d\)/g) ?? [];
    const onlySqlite = latencyByPercentile(model, cssTheme, { targets: ['SQLite'] });
    expect(new Set(colours(onlySqlite))).toEqual(new Set(['var(--chart-series-1)']));
    expect(new Set(colours(latencyByPercentile(model, cssTheme)))).toEqual(
      new Set(['var(--chart-series-0)', 'var(--chart-series-1)']),
    );
  });

  it('find the factors that can be swept', () => {
    expect(numericFactors(model)).toEqual(['connections']);
  });

  it('end the axis of rows done at the rows that a trial did', () => {
    const { data } = throughputOverRows(model, cssTheme);
    const last = new Map(data.rows.map(([variant, target, repeat, done]) => [`${variant} ${target} ${repeat}`, done]));
    for (const { trial, result } of model.trials) {
      const done = last.get(`${trial.variant} ${trial.target} ${trial.repeat}`);
      if (done !== undefined) expect(done).toBe(result!.totals.rows);
    }
    expect(last.size).toBeGreaterThan(0);
  });

  it('draw throughput over rows of inserts only: nothing else makes the table grow', () => {
    const updating: RunModel = {
      ...model,
      plan: {
        ...model.plan,
        variants: model.plan.variants.map((variant) => ({
          ...variant,
          settings: { ...variant.settings, operation: 'update' },
        })),
      },
    };
    expect(throughputOverRows(updating, cssTheme).data.rows).toEqual([]);
    expect(throughputOverTime(updating, cssTheme).data.rows.length).toBeGreaterThan(0);
  });

  it('draw what sessions waited for, with zeros where none did, and every counter that moved', () => {
    const waits = read((record) =>
      record.record === 'probe' && record.atMs >= 1_000 && record.atMs < 2_500
        ? {
            ...record,
            sample: { ...record.sample, gauges: { ...record.sample.gauges, 'wait:LWLock:WALWrite': 3 } },
          }
        : record,
    );
    const view = waits.trials.find(
      ({ trial, series }) => trial.target === 'PostgreSQL' && 'wait:LWLock:WALWrite' in series.gauges,
    )!;
    const { atMs, values } = view.series.gauges['wait:LWLock:WALWrite']!;
    expect(atMs).toEqual(view.series.gauges.active_sessions!.atMs);
    expect(values.map((value, i) => value === (atMs[i]! >= 1_000 && atMs[i]! < 2_500 ? 3 : 0))).not.toContain(false);
    const svg = renderSvg(serverCounters(waits, [view], cssTheme)[0]!);
    for (const title of ['Sessions waiting: LWLock · WALWrite', 'active_sessions', 'WAL written per second'])
      expect(svg).toContain(title);
  });

  it('end a percentile curve where fewer than ten calls lie beyond', () => {
    for (const [variant, target, percentile] of latencyByPercentile(model, cssTheme).data.rows) {
      const cell = model.cells.find((each) => each.variant === variant && each.target === target)!;
      expect(cell.latencyMs.count * (1 - Number(percentile) / 100)).toBeGreaterThan(9.99);
    }
  });
});

describe('the report', () => {
  const page = reportOf(model, false);

  it('is one file that loads nothing and runs nothing', () => {
    expect(page).toContain(`default-src 'none'`);
    expect(page.match(/<script|<link|<img|<iframe|@import|url\((?!#)|\son\w+=/i)).toBeNull();
    const addresses = new Set(page.match(/https?:\/\/[^"' <)]*/g));
    expect([...addresses].filter((address) => !address.startsWith('http://www.w3.org/'))).toEqual([]);
  });

  it('has one style sheet, whose hash is all that its policy allows', () => {
    const sheets = [...page.matchAll(/<style[^>]*>(.*?)<\/style>/gs)];
    expect(sheets).toHaveLength(1);
    expect(page).toContain(`style-src 'sha256-${hash('sha256', sheets[0]![1]!, 'base64')}'; base-uri`);
    expect(page).not.toMatch(/unsafe|\sstyle=/);
    // The styles of the drawn elements are still there.
    expect(page).toMatch(/\.s1\{[^}]+\}/);
    expect(page).toMatch(/class="swatch s\d+"/);
  });

  it('prints by rules that stand below those in whose place they hold', () => {
    const [, sheet = ''] = /<style[^>]*>(.*?)<\/style>/s.exec(page)!;
    const print = sheet.indexOf('@media print');
    for (const rule of ['.scroll{overflow-x:auto}', 'th{text-align:left', 'pre{font:'])
      expect(sheet.indexOf(rule), rule).toBeLessThan(print);
    expect(sheet.indexOf('.scroll{overflow:visible}')).toBeGreaterThan(print);
  });

  it('prints no head without what it is the head of, and no chart in two parts', () => {
    const [, print = ''] = /@media print(.*?)<\/style>/s.exec(page)!;
    expect(print).toMatch(/h2,h3,h4,[^{]*\{break-after:avoid\}/);
    expect(print).toMatch(/svg,tr,[^{]*\{break-inside:avoid\}/);
    expect(print).not.toMatch(/section\{[^}]*break-inside/);
  });

  it.each([
    ['every target by name', page],
    ['no name', reportOf(model, true)],
    ['no result', reportOf(empty, false)],
  ])('has an id once for everything that it links to: %s', (_, text) => {
    const ids = Array.from(text.matchAll(/\sid="([^"]+)"/g), ([, id]) => id);
    expect(ids).toHaveLength(new Set(ids).size);
    const links = new Set(Array.from(text.matchAll(/href="#([^"]*)"|url\(#([^)]*)\)/g), (link) => link[1] ?? link[2]));
    expect([...links].filter((link) => !ids.includes(link))).toEqual([]);
    expect(links).toContain('settings-compared');
  });

  it('says which is faster, by how much, how certain', () => {
    expect(page).toMatch(
      /class="headline">PostgreSQL with bulk · Connections: \d is \S+ \(\S+\) as fast as SQLite with multiRow · Connections: 1/,
    );
    expect(page).toMatch(/<dt>Best of SQLite<\/dt><dd>(?:<abbr [^>]*>)?multiRow · Connections: 1, .* rows\/s/);
  });

  it('shows skipped cells with their reason, settings, plan and file', () => {
    for (const text of [
      'SQLite has no bulk loader.',
      'synchronous_commit',
      'COPY FROM STDIN (binary)',
      '67.0\u00a0B + 41.4\u00a0B index',
      'rows and values',
      '# The bet of 2011.',
      'seed 1',
    ])
      expect(page).toContain(text);
  });

  it('escapes whatever comes from files and servers', () => {
    const evil = '<img src=x onerror=alert(1)>"\'&';
    const attacked = read((record) => {
      if (record.record === 'header')
        return {
          ...record,
          yaml: evil,
          plan: {
            ...record.plan,
            experiment: { ...record.plan.experiment, name: evil, question: evil },
            variants: record.plan.variants.map((variant) => ({ ...variant, label: `${variant.label}${evil}` })),
            skipped: record.plan.skipped.map((cell) => ({ ...cell, reason: evil })),
          },
        };
      if (record.record === 'target' && record.target.fingerprint !== null)
        return {
          ...record,
          target: {
            ...record.target,
            address: evil,
            fingerprint: { ...record.target.fingerprint, product: evil, durability: { [evil]: evil } },
          },
        };
      return record;
    });
    const text = reportOf(attacked, false);
    expect(text).not.toContain('<img');
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  it('hides every name when anonymous', () => {
    const anonymous = reportOf(model, true);
    expect(anonymous).not.toMatch(/postgres|sqlite|no-op engine|copy from|synchronous|wal|127\.0\.0\.1/i);
    expect(anonymous).toContain('<dt>Best of Target B</dt>');
    expect(anonymous).toMatch(/class="headline">Target A with .* as fast as Target B/);
  });

  it('hides the names of programs on the machine when anonymous: a server is one of them', () => {
    const machine = machineUseOf({ busyMs: 15_000, others: [{ name: 'mysqld', processes: 1, pid: 9, cpuMs: 9_000 }] });
    const beside = read((record) =>
      record.record === 'result' ? { ...record, result: { ...record.result, machine } } : record,
    );
    expect(reportOf(beside, false)).toContain('mysqld');
    const anonymous = reportOf(beside, true);
    expect(anonymous).not.toContain('mysqld');
    expect(anonymous).toContain('program 1 (process 9, 0.900 cores)');
  });

  it('has the chosen sections, without links to what is left out', () => {
    const firstPages: readonly SectionName[] = ['answer', 'picture', 'caveats', 'note', 'conditions'];
    const short = reportOf(model, false, { sections: [...firstPages] });
    for (const id of ['answer', 'results', 'data-quality', 'conditions'])
      expect(short).toContain(`<section id="${id}">`);
    for (const id of ['results-table', 'findings', 'settings-compared', 'experiment'])
      expect(short).not.toContain(`<section id="${id}">`);
    expect(short).not.toContain('href="#');
    expect(short.length).toBeLessThan(page.length / 2);
    const numbers = reportOf(model, false, { sections: ['numbers', 'experiment'] });
    expect(numbers).not.toContain('<section id="answer">');
    for (const id of ['results-table', 'experiment']) expect(numbers).toContain(`<section id="${id}">`);
  });

  it('keeps its errors whatever is chosen', () => {
    const failed = madeRun({ trial: () => ({ result: { status: 'failed' } }) });
    expect(reportOf(failed, false, { sections: ['experiment'] })).toContain('<section id="errors">');
  });

  it('has the title and the logo of the user, and its policy allows no other picture than the logo', () => {
    expect(page).not.toContain('img-src');
    const own = reportOf(model, false, { title: 'Q4 <sizing>', logo: { png: 'AAAA', widthPx: 120, heightPx: 40 } });
    expect(own).toContain('<h1>Q4 &lt;sizing&gt;</h1>');
    expect(own).toContain('Insert duel ·');
    expect(own).toContain('src="data:image/png;base64,AAAA"');
    expect(own).toMatch(/default-src 'none'; style-src 'sha256-[^']*'; img-src data:; base-uri/);
  });

  it('has the command that repeats the run', () => {
    expect(page).toContain('dyno run insert-duel.dyno.yaml');
  });

  it('names no host, user or database on request, but engines', () => {
    expect(page).toContain('127.0.0.1:54321/dyno');
    const secret = read((record) =>
      record.record === 'target' && record.target.name === 'PostgreSQL'
        ? {
            ...record,
            target: { ...record.target, address: 'pg-714.corp.example:5432/orders', details: { user: 'alice_ro' } },
          }
        : record,
    );
    const note = 'alice_ro moved orders to pg-714.corp.example.';
    expect(reportOf(secret, false, { note })).toMatch(/pg-714.*orders/s);
    const hidden = reportOf(secret, false, { note, hidesHosts: true });
    expect(hidden).not.toMatch(/pg-714|alice|orders/i);
    expect(hidden).toContain('user 1 moved database 1 to host 1.');
    expect(hidden).toContain('PostgreSQL 18.4');
  });

  it('names its author and has the note of the user, as text', () => {
    const own = reportOf(model, false, {
      author: ' Ada <DBA> ',
      note: 'After the index rebuild.\n<b>Quiet</b> machine.',
    });
    expect(own).toContain('by Ada &lt;DBA&gt;');
    expect(own).toContain('After the index rebuild.\n&lt;b&gt;Quiet&lt;/b&gt; machine.');
    expect(page).not.toContain('<section id="note">');
    expect(reportOf(model, true, { note: 'PostgreSQL was slow.' })).not.toContain('was slow');
  });

  it('marks the caveats of a cell by the letters that the first pages explain', () => {
    const bound = reportOf(madeRun({ trial: () => ({ result: { clientSaturated: true } }) }));
    const letters = Array.from(bound.matchAll(/<span class="letter">(\w+)<\/span>/g), ([, letter]) => letter);
    const marked = Array.from(bound.matchAll(/<span class="letters">([\w ]*)<\/span>/g), ([, text = '']) =>
      text.split(' '),
    );
    const used = new Set(marked.flat().filter((letter) => letter !== ''));
    expect(used.size).toBeGreaterThan(0);
    expect([...used].filter((letter) => !letters.includes(letter))).toEqual([]);
  });

  it('says that no problem was found only if the data is good and no trial failed', () => {
    const nothing = 'No problem with the data was found.';
    const quality = (run: RunModel) => reportOf(run).split('<section id="data-quality">')[1]!.split('</section>')[0]!;
    const run = { ...madeRun({ repeats: 3 }), caveats: [] };
    expect(quality(run)).toContain(nothing);
    expect(quality({ ...madeRun({ repeats: 1 }), caveats: [] })).toContain('Do not quote. ');
    const error = { severity: 'error', title: 'Failed', text: 'It failed.', cell: null } as const;
    expect(quality({ ...run, caveats: [error] })).not.toContain(nothing);
  });

  it('can be made of a run that has no result yet', () => {
    expect(reportOf(empty, false)).toContain('No trial has a result yet.');
  });
});

describe('the comparison as text', () => {
  const lines = renderText(model).split('\n');

  it('has a line per cell, aligned', () => {
    const header = lines.findIndex((line) => line.startsWith('variant'));
    const rows = lines.slice(header + 1, header + 1 + model.cells.length);
    const end = lines[header]!.indexOf('ratio') + 'ratio'.length;
    for (const row of rows) expect(row.slice(0, end)).toMatch(/(\)|baseline|not comparable)$/);
    expect(rows.filter((row) => row.includes('baseline'))).toHaveLength(6);
  });

  it('calls time outside the calls what it is, as the report does', () => {
    const page = reportOf(model, false);
    for (const text of [lines.join('\n'), page]) {
      expect(text).toMatch(/p99.*between calls.*\bn\b/is);
      expect(text).toMatch(/between calls: share of the client’s time outside of them/i);
    }
  });

  it('stays aligned where names are Chinese, whose characters are as wide as two', () => {
    const chinese = (text: string) => text.replaceAll('PostgreSQL', '数据库');
    const names = JSON.parse(chinese(JSON.stringify(Array.from(fixtureJournal())))) as JournalRecord[];
    const rows = renderText(readRun(names))
      .split('\n')
      .filter((line) => /^prepared .* (数据库|SQLite) /.test(line));
    const ends = rows.map(textColumns);
    expect(rows.some((row) => row.includes('数据库'))).toBe(true);
    expect(new Set(ends).size, rows.join('\n')).toBe(1);
  });

  it('names skipped cells and caveats', () => {
    expect(lines.join('\n')).toContain('bulk · Connections: 1 on SQLite: SQLite has no bulk loader.');
    expect(lines.join('\n')).toContain('In-process engine against servers');
  });

  it('lays two runs side by side', () => {
    const text = renderComparison(compareWithReference(model, [model]), ['before', 'after'], '');
    expect(text).toMatch(/prepared · Connections: 1 +PostgreSQL .* 1\.0+× [\s\S]* not statistically significant/);
  });
});

it('has the tournament of changes, also without names of products', () => {
  const report = reportOf(madeTournament({ changes: storeChanges }));
  expect(report).toMatch(/<h2[^>]*>Tournament/);
  expect(report).toContain('40.6× faster (39.9–41.4×)');
  expect(report).toContain('class="ratio-mark differs"');
  expect(reportOf(madeTournament({ changes: storeChanges }), true)).toContain('40.6× faster (39.9–41.4×)');
});
