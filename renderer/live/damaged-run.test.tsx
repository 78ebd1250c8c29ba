import { init } from 'echarts';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { DynoError } from '#contract/error.ts';
import type { JournalEntry } from '#contract/journal.ts';
import { Sfc32 } from '#stats/random.ts';
import { createSvgRenderer } from '../../workers/analysis/charts/render-svg.ts';
import { createJournalParser } from '../../workers/analysis/journal-parser.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { type Tab, tabs } from '../../workers/analysis/outline/panel.ts';
import { createRunReader } from '../../workers/analysis/read-run.ts';
import { renderReport } from '../../workers/analysis/report/report.ts';
import { renderComparison, renderText } from '../../workers/analysis/terminal/run-text.ts';
import { resultsJson } from '../../workers/cli/results-json.ts';
import {
  changedLeaves,
  cuts,
  evilMarkup,
  flips,
  fullRun,
  hostileValues,
} from '../../workers/host/damaged-run.fixture.ts';
import { RunRemark } from '../results/run-remark.tsx';
import { TabView } from '../results/tab-view.tsx';
import { LiveView } from './live-view.tsx';
import { RunHead } from './run-head.tsx';
import { type LogLine, logLine } from './run-log.ts';

// There is no window here: views are drawn once, as text, by the code that draws them there.
vi.mock('../shell/theme.ts', () => ({ useTheme: () => 'light' }));
vi.mock('../store.ts', async (original) => ({
  ...(await original<object>()),
  useStore: (store: { get(): unknown }) => store.get(),
}));

// Thousands of files, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const renderSvg = createSvgRenderer(init);
const nothing = () => {};

/** Of the files whose changed value is accepted so many are used, and drawn: that takes long, and all are read. */
const usedShare = 1 / 10;
const drawnShare = 1 / 40;

interface Opened {
  readonly model: RunModel;
  readonly log: readonly LogLine[];
}

type Entries = readonly JournalEntry[];

const file = fullRun();
/** What follows the last line end is torn. */
const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);
const lines = linesOf(file);

/** Of whole lines; null: the file says why it cannot be opened. Lines as they were need no parsing under the header as it was. */
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

/** As the window opens a file. */
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
  for (const anonymous of [false, true])
    expect(renderReport(model, { anonymous, renderSvg })).not.toContain(evilMarkup);
  for (const view of views(opened)) expect(renderToString(view)).not.toContain(evilMarkup);
}

/** All that is done with a run file; what goes wrong names the damage. */
function use(entries: Entries | null, what: string, drawn: boolean): void {
  if (entries === null || entries.length === 0) return;
  try {
    const opened = open(entries);
    renderText(opened.model);
    renderComparison(opened.model, sound.model);
    JSON.stringify(resultsJson(opened.model));
    if (drawn) draw(opened);
  } catch (thrown) {
    throw new Error(`${what}: ${String(thrown)}`, { cause: thrown });
  }
}

const soundEntries = parse(lines)!;
const sound = open(soundEntries);

test('a sound file is read without a word of damage', () => {
  expect(sound.model.damage).toEqual({ lines: 0, messages: [], unknown: 0 });
  draw(sound);
});

test('a file that is cut off anywhere can be used', () => {
  const whole = new Set<number>();
  for (const text of cuts(file, 997)) {
    const left = linesOf(text);
    // Where in a line a file is cut off makes no difference.
    if (!whole.has(left.length) && whole.size % 8 === 0)
      use(parse(left, soundEntries), `cut at ${text.length}`, whole.size % 40 === 0);
    whole.add(left.length);
  }
  expect(whole.size).toBe(lines.length);
});

test('a file with a bit turned over can be used', () => {
  let count = 0;
  for (const text of flips(file, 600, 7)) {
    const entries = parse(linesOf(text), soundEntries);
    if (++count % 10 === 0) use(entries, `bit ${count}`, count % 100 === 0);
  }
  expect(count).toBe(600);
});

test('a file with any value changed to a hostile one can be used', () => {
  const random = new Sfc32(11);
  const damaged = new Set<number>();
  const parser = createJournalParser('run.dyno-run');
  parser.parse(lines[0]!, 1);
  for (const { what, at, line } of changedLeaves(file, hostileValues)) {
    const entry = at === 0 ? null : parser.parse(line, at + 1);
    const isDamaged = entry?.record === 'damaged';
    // One damaged line is like another in its place.
    if (isDamaged && damaged.has(at)) continue;
    if (isDamaged) damaged.add(at);
    const lot = random.unit();
    const isUsed = isDamaged || lot < usedShare;
    const entries = at > 0 ? soundEntries.with(at, entry!) : parse(isUsed ? [line, ...lines.slice(1)] : [line]);
    if (isUsed) use(entries, what, lot < drawnShare);
  }
  expect({}).not.toHaveProperty('polluted');
});
