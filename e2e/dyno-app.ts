import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ElectronApplication } from '@playwright/test';
import type { JournalRecord } from '#protocol/journal.ts';
import type { Dyno, LaunchOptions, Run } from './driver/api.ts';
import { startElectron } from './driver/attach.ts';
import { findInstallation, type Installation } from './driver/installation.ts';
import { launchFrom } from './driver/launch.ts';
import { readRun, type TrialRow, trialRows } from './journal.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The real app with its main process: what `@dyno/driver` offers, and what tests need besides. */
export interface DynoApp extends Dyno {
  readonly app: ElectronApplication;
  /** Replaces the text of the experiment in the builder, or of a new one if none is open. Shows the YAML. */
  setYaml(text: string): Promise<void>;
  /** Presses Run and returns the new run's id. */
  run(): Promise<string>;
  /** Cancels the run on screen. */
  cancel(): Promise<void>;
  /** Waits until the window shows the end of the last started run. Rejects after timeoutMs (default: two minutes). */
  waitForResult(timeoutMs?: number): ReturnType<Run['wait']>;
  /** Outcomes of the finished trials of the last started run. */
  results(): Promise<readonly TrialRow[]>;
  /** All journal records of the last started run. */
  records(): Promise<readonly JournalRecord[]>;
  /** Saves the report of the run on screen by the window's own button. */
  exportReport(path: string): Promise<void>;
}

/** The project's own app as built, or the Dyno at a path. */
export const projectsDyno = (path = root): Promise<Installation> => findInstallation(path, false);

const running = new Set<ChildProcess>();

/** Kills the processes of an abandoned test, because Playwright would ask the app to quit and wait forever. */
export function killApps(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts the real app, by default the project's own. A home of its own gets the calibration that tests share. */
export async function launchApp({ dyno: path, ...options }: LaunchOptions = {}): Promise<DynoApp> {
  // The variable is set by electron/setup/test-steps.mjs.
  const prepared = options.home === undefined ? process.env.DYNO_TEST_HOME : undefined;
  const dyno = await launchFrom(
    await projectsDyno(path),
    { ...options, ...(prepared !== undefined && { calibration: join(prepared, 'calibration.json') }) },
    startElectron,
  );
  running.add(dyno.process);
  dyno.process.once('exit', () => running.delete(dyno.process));
  const { app } = dyno;
  if (app === null) throw new Error('The app has been started without its main process.');
  askAgain(app);
  return appOf({ ...dyno, app });
}

/** The app for one test, which knows none of its earlier runs. */
export function appOf(dyno: Dyno & { readonly app: ElectronApplication }): DynoApp {
  const { app, page, home } = dyno;
  let started: Run | null = null;
  const lastRun = async () => started ?? (await dyno.runOf());
  const records = async () => readRun(home, (await lastRun()).id);
  return {
    ...dyno,
    async setYaml(text) {
      await dyno.write(text);
      await dyno.showYaml();
    },
    async run() {
      started = await dyno.start();
      return started.id;
    },
    cancel: () => page.getByRole('button', { name: 'Cancel run' }).click(),
    async waitForResult(timeoutMs = 120_000) {
      const status = await (await lastRun()).wait({ timeoutMs });
      await page.getByRole('button', { name: 'Export report' }).waitFor();
      return status;
    },
    results: async () => trialRows(await records()),
    records,
    async exportReport(path) {
      await answerSaveDialog(app, path);
      await page.getByRole('button', { name: 'Export report' }).click();
      await page.getByRole('button', { name: 'Save report' }).click();
      await page.getByText('Report saved').waitFor();
    },
  };
}

/** Makes the app's main process answer save dialogs with this path, because Playwright cannot drive system dialogs. */
export const answerSaveDialog = (app: ElectronApplication, path: string): Promise<void> =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, path);

const mostAsked = 10;

/** Repeats a request that V8's inspector has lost, as it does with requests during a garbage collection. */
function askAgain(app: ElectronApplication): void {
  const evaluate = app.evaluate.bind(app) as (...request: unknown[]) => Promise<unknown>;
  const patient = async (...request: unknown[]) => {
    for (let asked = 1; ; asked++) {
      try {
        return await evaluate(...request);
      } catch (error) {
        if (asked === mostAsked || !String(error).includes('promise was garbage collected')) throw error;
        await sleep(100 * asked);
      }
    }
  };
  app.evaluate = patient as typeof app.evaluate;
}
