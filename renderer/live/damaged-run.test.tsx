import { hash } from 'node:crypto';
import { init } from 'echarts';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { compareWithReference } from '#analysis/between-runs/compare-with-reference.ts';
import { createJournalParser } from '#analysis/journal/journal-parser.ts';
import { createRunReader } from '#analysis/journal/read-run.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { resultsJson } from '#cli/results/results-json.ts';
import { DynoError } from '#model/error.ts';
import {
  changedLeaves,
  cuts,
  evilMarkup,
  flips,
  fullRun,
  hostileValues,
} from '#orchestrator/journal/damaged-run.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { createSvgRenderer } from '#presentation/charts/plot/render-svg.ts';
import { type Tab, tabs } from '#presentation/outline/panel.ts';
import { renderReport } from '#presentation/report/report.ts';
import { renderComparison } from '#presentation/terminal/comparison-text.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import type { JournalEntry } from '#protocol/journal.ts';
import { standardChoices } from '#protocol/report-choices.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { RunRemark } from '../results/run-remark.tsx';
import { TabView } from '../results/tab-view.tsx';
import { LiveView } from './live-view.tsx';
import { RunHead } from './run-head.tsx';
import { type LogLine, logLine } from './run-log.ts';

// Renders the views once to text, with the same code as in the window.
vi.mock('../state/theme.ts', () => ({ useTheme: () => 'light' }));
vi.mock('../state/store.ts', async (original) => ({
  ...(await original<object>()),
  useStore: (store: { get(): unknown }) => store.get(),
}));

// The test reads thousands of files, perhaps on a busy machine.
vi.setConfig({ testTimeout: whole ? 3_600_000 : 180_000 });

const renderSvg = createSvgRenderer(init);
const sha256 = (text: string): string => hash('sha256', text, 'base64');
const nothing = () => {};

/** The shares of accepted files that the test also renders, because rendering is slow. It reads all files. */
const [usedShare, drawnShare] = whole ? [1, 1 / 10] : [1 / 160, 1 / 640];

interface Opened {
  readonly model: RunModel;
  readonly log: readonly LogLine[];
}

type Entries = readonly JournalEntry[];

const file = fullRun();
/** Complete lines; text after the last line end is torn. */
const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);
const lines = linesOf(file);

/** Parses lines; null if the file cannot be opened. Unchanged lines below an unchanged header come from `known`. */
function parse(changed: readonly string[], known: Entries = []): Entries | null {
  const parser = createJournalParser('run.dyno-run');
  const isSame = (line: string, i: number) => i > 0 && changed[0] === lines[0] && line === lines[i];
  try {
    return changed
      .map((line, i) => (known[i] && isSame(line, i) ? known[i] : parser.parse(line, i + 1)))
      .filter((entry) => entry !== null);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(DynoError);
    expect((thrown as DynoError).data).toMatchObject({ kind: 'badInput', hint: expect.stringMatching(/./) });
    return null;
  }
}

/** Opens a file like the window does. */
function open(entries: Entries): Opened {
  const reader = createRunReader();
  for (const entry of entries) reader.add(entry);
  return {
    model: reader.model(),
    log: entries.map((entry) => logLine(entry, new Map())).filter((one) => one !== null),
  };
}

const views = ({ model, log }: Opened): readonly ReactElement[] => [
  <RunHead key="head" runId={model.runId} model={model} progress={null} />,
  <RunRemark key="results" model={model} onFollow={nothing}>
    {(Object.keys(tabs) as Tab[]).map((tab) => (
      <TabView key={tab} tab={tab} model={model} onFollow={nothing} />
    ))}
  </RunRemark>,
  <LiveView key="live" model={model} log={log} />,
];

function draw(opened: Opened): void {
  const { model } = opened;
  for (const hidesEngines of [false, true])
    expect(
      renderReport(model, { ...standardChoices, hidesEngines, logo: null, note: '', renderSvg, sha256 }),
    ).not.toContain(evilMarkup);
  for (const view of views(opened)) expect(renderToString(view)).not.toContain(evilMarkup);
}

/** Does everything that the window does with a run file; an error names the damage. */
function use(entries: Entries | null, what: string, drawn: boolean): void {
  if (entries === null || entries.length === 0) return;
  try {
    const opened = open(entries);
    renderText(opened.model);
    renderComparison(compareWithReference(opened.model, [sound.model]), ['before', 'after'], '');
    JSON.stringify(resultsJson(opened.model));
    if (drawn) draw(opened);
  } catch (thrown) {
    throw new Error(`${what}: ${String(thrown)}`, { cause: thrown });
  }
}

const soundEntries = parse(lines)!;
const sound = open(soundEntries);

test('an intact file is read without a report of damage', () => {
  expect(sound.model.damage).toEqual({ lines: 0, messages: [], unknown: 0 });
  draw(sound);
});

test('a file that is cut off anywhere can be used', () => {
  const known = new Set<number>();
  for (const text of cuts(file, whole ? 1 : 997)) {
    const left = linesOf(text);
    // The position of the cut within a line makes no difference.
    if (!known.has(left.length) && known.size % (whole ? 1 : 16) === 0)
      use(parse(left, soundEntries), `cut at ${text.length}`, known.size % 80 === 0);
    known.add(left.length);
  }
  expect(known.size).toBe(lines.length);
});

test('a file with a flipped bit can be used', () => {
  const flipped = whole ? 20_000 : 100;
  let count = 0;
  for (const text of flips(file, flipped, 7)) {
    const entries = parse(linesOf(text), soundEntries);
    if (++count % 10 === 0) use(entries, `bit ${count}`, count % 100 === 0);
  }
  expect(count).toBe(flipped);
});

test('a file with any value changed to a hostile one can be used', () => {
  const random = new Sfc32(11);
  const damaged = new Set<number>();
  const parser = createJournalParser('run.dyno-run');
  parser.parse(lines[0]!, 1);
  const counts = { changed: 0, refused: 0, damaged: 0, used: 0, drawn: 0 };
  for (const { what, at, line } of changedLeaves(file, hostileValues)) {
    const entry = at === 0 ? null : parser.parse(line, at + 1);
    const isDamaged = entry?.record === 'damaged';
    counts.changed++;
    if (isDamaged) counts.damaged++;
    // Damaged lines at the same position are treated alike.
    if (isDamaged && damaged.has(at)) continue;
    if (isDamaged) damaged.add(at);
    const lot = random.unit();
    const isUsed = isDamaged || lot < usedShare;
    const entries = at > 0 ? soundEntries.with(at, entry!) : parse(isUsed ? [line, ...lines.slice(1)] : [line]);
    if (entries === null) counts.refused++;
    else if (isUsed) counts.used++;
    if (entries !== null && isUsed && lot < drawnShare) counts.drawn++;
    if (isUsed) use(entries, what, lot < drawnShare);
  }
  if (whole) console.log(`| a value changed | ${JSON.stringify(counts)} |`);
  expect({}).not.toHaveProperty('polluted');
});
