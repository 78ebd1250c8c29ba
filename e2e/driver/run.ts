import type { ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { WrittenResults } from '#cli/results/results-json.ts';
import { DynoError } from '#model/error.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import type { Progress, Run } from './api.ts';
import { runCommand } from './command-line.ts';
import type { Installation } from './installation.ts';
import { openFile } from './open-file.ts';
import type { Results, RunEntry } from './results.ts';
import { type ProgressFeed, request } from './window.ts';

/** The window with the runs. */
export interface RunsWindow {
  readonly page: Page;
  readonly process: ChildProcess;
  readonly installation: Installation;
  readonly home: string;
  /** Starts to listen at the first call. */
  progress(): Promise<ProgressFeed>;
}

/** A run of the window's home. */
export function runIn(window: RunsWindow, id: string): Run {
  const { page, installation, home } = window;
  const report = (...options: readonly string[]) => runCommand(installation, home, ['report', id, ...options]);

  const entry = async (): Promise<RunEntry> => {
    const found = (await request(page, 'runs:list', null)).find((one) => one.id === id);
    if (found === undefined) throw new DynoError('badInput', `There is no run “${id}” in ${home}.`);
    return found;
  };

  const show = async (tab?: string): Promise<void> => {
    const { startedAt } = await entry();
    const views = page.getByRole('tablist', { name: 'Views of the run' });
    const isShown = (await views.isVisible()) && (await page.locator(`main time[datetime="${startedAt}"]`).count()) > 0;
    if (!isShown) await openFile(page, join(home, 'runs', `${id}.dyno-run`));
    if (tab !== undefined) await views.getByRole('tab', { name: tab }).click();
  };

  return {
    id,
    show,
    wait: ({ onProgress = () => {}, timeoutMs } = {}) => waitForEnd(window, id, entry, onProgress, timeoutMs),
    async cancel() {
      await show();
      await page.getByRole('button', { name: 'Cancel run' }).click();
    },
    async results({ series = false } = {}) {
      const written: WrittenResults = JSON.parse(await report('--json', '-', ...(series ? ['--series'] : [])));
      return { ...written } satisfies Results;
    },
    async exportReport(path, { format, title, author, sections, hide } = {}) {
      const options = { format, title, author, sections: sections?.join(), hide: hide?.join() };
      const given = Object.entries(options).flatMap(([name, value]) =>
        value === undefined ? [] : [`--${name}=${value}`],
      );
      await report(`--output=${resolve(path)}`, ...given);
    },
  };
}

/** A look at the list of runs tells the end also where its message was lost, or another Dyno executes the run. */
const lookEveryMs = 5_000;

async function waitForEnd(
  { page, process, progress }: RunsWindow,
  id: string,
  entry: () => Promise<RunEntry>,
  onProgress: (progress: Progress) => void,
  timeoutMs: number | undefined,
): Promise<Exclude<RunEntry['status'], 'running'>> {
  const feed = await progress();
  const stop = Promise.withResolvers<never>();
  stop.promise.catch(() => {}); // nobody may be waiting at that moment
  const fail = (text: string) => stop.reject(new DynoError('timeout', text));
  const onExit = () => fail('The window ended before the run.');
  process.once('exit', onExit);
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => fail(`The run “${id}” goes on after ${timeoutMs} ms.`), timeoutMs);
  let isOver = false;
  let news = Promise.withResolvers<null>();
  const stopListening = feed.listen((told) => {
    if (told?.runId === id) onProgress(ofDriver(told));
    if (told !== null && (told.runId !== id || told.live)) return;
    isOver ||= told !== null;
    news.resolve(null);
  });
  try {
    for (;;) {
      news = Promise.withResolvers();
      const { status } = await Promise.race([entry(), stop.promise]);
      if (status !== 'running') {
        await page.getByRole('button', { name: 'Cancel run' }).waitFor({ state: 'hidden' });
        return status;
      }
      await Promise.race([news.promise, stop.promise, sleep(isOver ? 100 : lookEveryMs, null, { ref: false })]);
    }
  } finally {
    stopListening();
    clearTimeout(timer);
    process.off('exit', onExit);
  }
}

const ofDriver = ({ activity, trialsDone, trialsPlanned, fraction, secondsLeft, paused }: RunProgress): Progress => ({
  activity,
  trialsDone,
  trialsPlanned,
  fraction,
  secondsLeft,
  paused,
});
