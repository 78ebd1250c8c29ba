import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { madeHistory } from '#presentation/charts/made-history.fixture.ts';
import type { History } from '#protocol/history.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { standardChoices } from '#protocol/report-choices.ts';
import type { ReportFormat } from '#protocol/report-formats.ts';
import { pictureRenderer } from './png.ts';
import { writeReport } from './report-file.ts';

const message = 'permission denied for alice_ro on orders at pg-714 (10.20.30.40), see /srv/orders/log';
const error = { kind: 'permission', code: null, message, hint: null, retryable: false } as const;

const withNames = (record: JournalRecord): JournalRecord => {
  if (record.record === 'target' && record.target.name === 'PostgreSQL') {
    const target = { address: 'pg-714.corp.example:5432/orders', details: { user: 'alice_ro' } };
    return { ...record, target: { ...record.target, ...target } };
  }
  return record.record === 'result' && record.result.number === 1
    ? { ...record, result: { ...record.result, status: 'failed', error } }
    : record;
};

const run = readRun([...fixtureJournal({ connections: [1], repeats: 2 })].map(withNames));
const made = madeHistory({ runs: 8, cells: 2, changeAt: 5 });
const moved = {
  kind: 'server',
  what: 'address',
  where: null,
  before: 'localhost',
  after: 'pg-714.corp.example',
} as const;
const history: History = {
  ...made,
  runs: made.runs.map((one, i) => (i === 5 ? { ...one, changes: [...one.changes, moved] } : one)),
};
const options = { ...standardChoices, note: 'Measured by alice_ro on pg-714.', history };

/** The texts of a report, file by file. */
function contentOf(path: string): ReadonlyMap<string, string> {
  const text = (file: string) => readFileSync(file, 'utf8');
  return existsSync(join(path, 'README.md'))
    ? new Map(readdirSync(path).map((name) => [name, text(join(path, name))]))
    : new Map([['', text(path)]]);
}

async function reportIn(
  format: ReportFormat,
  more: Partial<typeof options> = {},
): Promise<ReadonlyMap<string, string>> {
  const path = join(temporaryFolder(), 'report');
  await writeReport(run, path, format, { ...options, ...more });
  return contentOf(path);
}

describe('a set of pictures', () => {
  it('has every chart with the words that explain it, and a page that shows them', async () => {
    const { 'README.md': page = '', ...pictures } = Object.fromEntries(await reportIn('svg'));
    expect(Object.keys(pictures)).toEqual(
      expect.arrayContaining([
        'summary-results.svg',
        'timeSeries-throughput-over-time.svg',
        'timeline-run-timeline.svg',
      ]),
    );
    for (const [name, svg] of Object.entries(pictures)) {
      expect(page).toContain(`](${name})`);
      for (const words of ['Insert duel · 2026-11-20 08:00 UTC', 'Machine', 'Versions', 'Caveats'])
        expect(svg).toContain(words);
      expect(svg).not.toMatch(/<script|NaN|undefined/);
    }
    const { draw } = await pictureRenderer();
    const [svg, silent] = [
      pictures['summary-results.svg']!,
      pictures['summary-results.svg']!.replaceAll(/<text.*?<\/text>/g, ''),
    ];
    const png = Buffer.from(draw(svg, 2));
    expect(png.readUInt32BE(16)).toBe(2 * Number(/width="(\d+)"/.exec(svg)![1]));
    // Its words are drawn, although no font of the system is read.
    expect(draw(silent, 2).length).toBeLessThan(png.length / 2);
  });
});

it('Markdown has the answer, the tables and the experiment, and is small', async () => {
  const text = (await reportIn('markdown')).get('')!;
  expect(text).toMatch(/^# Insert duel\n\n> How fast do 500,000 rows get in/);
  expect(text).toContain('| Variant | Target | rows/s |');
  expect(text).toContain('dyno run insert-duel.dyno.yaml');
  expect(text).toContain('> Measured by alice');
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  expect(rows.length).toBeGreaterThan(20);
  expect(text.length).toBeLessThan(60_000);
});

const searched = ['html', 'markdown', 'csv', 'svg'] as const satisfies readonly ReportFormat[];

it.each(searched)('%s names no host, user, database or engine on request', async (format) => {
  const hosts = /pg-714|alice|orders|10\.20|\/srv/i;
  const engines = /postgres|sqlite/i;
  const found = async (more: Partial<typeof options>) => {
    const text = [...(await reportIn(format, more)).values()].join('\n');
    return [hosts, engines].map((names) => names.exec(text)?.[0]);
  };
  const [host, engine] = await found({});
  expect(engine).toBeDefined();
  // Charts have no names of hosts.
  if (format !== 'svg') expect(host).toBeDefined();
  expect(await found({ hidesHosts: true })).toEqual([undefined, engine]);
  expect(await found({ hidesHosts: true, hidesEngines: true })).toEqual([undefined, undefined]);
});

it('a folder that has files is left as it is', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'mine.txt'), 'x');
  await expect(writeReport(run, folder, 'csv', options)).rejects.toThrow('is not empty');
  expect(readdirSync(folder)).toEqual(['mine.txt']);
});
