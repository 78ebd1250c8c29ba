import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Page } from '@playwright/test';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { report } from '#engines/shared/bench-report.fixture.ts';
import { type Tab, tabs } from '#presentation/outline/panel.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { launchApp, projectsDyno } from './dyno-app.ts';
import { startWindow } from './window-start.ts';

/**
 * Measures how fast the window is, in the real app: from the start of its program until it can be used, from a click on
 * a run of a thousand trials or of twelve hours to its first chart, from a click on a tab to its panels, and from one
 * frame to the next while it scrolls.
 */
const starts = Number(process.env.DYNO_BENCH_ROUNDS ?? 5);
/** 32 cells, each with this many repeats: 1,024 trials. */
const repeats = 32;

const newHome = () => mkdtemp(join(tmpdir(), 'dyno-home-'));
const remove = (home: string) => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function tell(row: string, ms: readonly number[], cpuMs: readonly number[], aimMs: number | null = null): void {
  const cpu = cpuMs.length === 0 ? null : median(cpuMs);
  const spread = ms.length > 1 ? ` (${Math.min(...ms).toFixed(0)} to ${Math.max(...ms).toFixed(0)})` : '';
  const processor = cpu === null ? '' : `, ${cpu.toFixed(0)} ms of processor`;
  console.log(
    `${row}: ${median(ms).toFixed(0)} ms${spread}${processor}${aimMs === null ? '' : `; aim ${aimMs.toFixed(0)} ms`}`,
  );
  report({ table: 'window', row, ms: median(ms), cpuMs: cpu, aimMs });
}

async function measureStarts(): Promise<void> {
  const { window: electron } = await projectsDyno();
  const first: Awaited<ReturnType<typeof startWindow>>[] = [];
  const later: typeof first = [];
  for (let round = 0; round < starts; round++) {
    const home = await newHome();
    try {
      first.push(await startWindow(electron, home));
      later.push(await startWindow(electron, home));
    } finally {
      await remove(home);
    }
  }
  for (const [row, all] of [
    ['first start of a home', first],
    ['later start', later],
  ] as const)
    tell(
      row,
      all.map(({ ms }) => ms),
      all.flatMap(({ cpuMs }) => cpuMs ?? []),
      1_200,
    );
}

/** The time in the page, in ms, from the next press of a key or mouse button to the frame that contains `selector`. */
async function pressedToShown(page: Page, selector: string, press: () => Promise<void>): Promise<number> {
  await page.evaluate((wanted) => {
    const measured = new Promise<number>((done) => {
      window.addEventListener(
        'pointerdown',
        ({ timeStamp }) => {
          const look = () =>
            document.querySelector(wanted) === null
              ? requestAnimationFrame(look)
              : requestAnimationFrame(() => setTimeout(() => done(performance.now() - timeStamp)));
          requestAnimationFrame(look);
        },
        { once: true, capture: true },
      );
    });
    Object.assign(window, { measured });
  }, selector);
  await press();
  return page.evaluate(() => (window as unknown as { readonly measured: Promise<number> }).measured);
}

/** The element whose presence shows that a tab is open. */
const contents = {
  timeline: '.chart-host svg',
  latency: '.latency-view .chart-host svg',
  timeSeries: '.timeSeries-view .chart-host svg',
  plans: '.plans-view p',
  findings: '.findings-view section',
  environment: '.environment-view .panel',
  definition: '.definition-view .file-text',
  summary: '.summary-view svg',
} as const satisfies Readonly<Record<Tab, string>>;

async function measureRun(): Promise<void> {
  const home = await newHome();
  await mkdir(join(home, 'runs'), { recursive: true });
  const lines = [...fixtureJournal({ repeats })].map((record) => `${JSON.stringify(record)}\n`);
  await writeFile(join(home, 'runs', '20261120-080000-recorded.dyno-run'), lines.join(''));
  const { page, close } = await launchApp({ home });
  try {
    await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
    const run = page.getByRole('button', { name: 'Insert duel', exact: true });
    await run.waitFor();
    const opened = await pressedToShown(page, '.summary-view svg', () => run.click());
    tell('a run of 1,024 trials to its first chart', [opened], [], 1_000);
    for (const [id, selector] of Object.entries(contents)) {
      const name = tabs[id as Tab];
      const tab = page.getByRole('tab', { name, exact: true });
      tell(`its tab ${name}`, [await pressedToShown(page, selector, () => tab.click())], [], 300);
    }
  } finally {
    await close();
    await remove(home);
  }
}

/** A trial of twelve hours by sixteen workers. */
const longSeconds = 43_200;
const longWorkers = 16;

/** The journal of a run whose first trial is that long; every second of a worker is one of the fixture's. */
function* longJournal(): Generator<JournalRecord> {
  const records = [...fixtureJournal({ repeats: 3 })];
  const isOfIt = (record: JournalRecord) =>
    (record.record === 'snapshot' || record.record === 'probe') && record.trial === 1;
  const known = records.filter(
    (one) => one.record === 'snapshot' && one.trial === 1 && one.snapshot.lengthMs === 1_000,
  );
  let isWritten = false;
  for (const record of records) {
    if (!isOfIt(record)) yield record;
    if (!isOfIt(record) || isWritten) continue;
    isWritten = true;
    for (let i = 0; i < longSeconds * longWorkers; i++) {
      const one = known[i % known.length];
      const atMs = (Math.floor(i / longWorkers) + 1) * 1_000;
      if (one?.record === 'snapshot')
        yield { ...one, snapshot: { ...one.snapshot, worker: i % longWorkers, atMs, lengthMs: 1_000 } };
    }
  }
}

/** Scrolls the content by 20 pixels a frame, and resolves with the time between two frames, ms. */
const scrollFrames = (page: Page): Promise<readonly number[]> =>
  page.evaluate(async () => {
    const panel = document.querySelector('.tab-panel')!;
    const frames: number[] = [];
    let last = await new Promise<number>(requestAnimationFrame);
    while (frames.length < 180) {
      panel.scrollTop += 20;
      const now = await new Promise<number>(requestAnimationFrame);
      frames.push(now - last);
      last = now;
    }
    return frames;
  });

async function measureLongTrial(): Promise<void> {
  const home = await newHome();
  await mkdir(join(home, 'runs'), { recursive: true });
  const lines = Readable.from(longJournal()).map((record) => `${JSON.stringify(record)}\n`);
  await writeFile(join(home, 'runs', '20261120-080000-recorded.dyno-run'), lines);
  const { page, close } = await launchApp({ home });
  try {
    await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
    const run = page.getByRole('button', { name: 'Insert duel', exact: true });
    await run.waitFor({ timeout: 120_000 });
    const opened = await pressedToShown(page, contents.summary, () => run.click());
    tell('a trial of 43,200 seconds by 16 workers (1.1 GB) to its first chart', [opened], []);
    const tab = page.getByRole('tab', { name: tabs.timeSeries, exact: true });
    tell(
      `its tab ${tabs.timeSeries}, 43,200 seconds`,
      [await pressedToShown(page, contents.timeSeries, () => tab.click())],
      [],
    );
    await page.waitForTimeout(3_000);
    const frames = (await scrollFrames(page)).toSorted((a, b) => a - b);
    tell('a frame while it scrolls', [median(frames)], [], 1_000 / 60);
    tell('95 of 100 frames are shorter than', [frames[Math.floor(frames.length * 0.95)] ?? Number.NaN], [], 1_000 / 60);
  } finally {
    await close();
    await remove(home);
  }
}

await measureStarts();
await measureRun();
await measureLongTrial();
