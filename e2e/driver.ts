import { setTimeout as sleep } from 'node:timers/promises';
import type { ElectronApplication, Page } from '@playwright/test';
import type { JournalRecord } from '#protocol/journal.ts';
import { readRun, runIds, type TrialRow, trialRows } from './journal.ts';
import { type LaunchedApp, type LaunchOptions, launch } from './launch.ts';

/**
 * Drives the real app: for end-to-end tests, and for users who want to run experiments in the window from a
 * script. It uses only what a user can see and press; results come from the run's journal.
 *
 *     const dyno = await launchDyno();
 *     await dyno.openExperiment('Insert duel');
 *     await dyno.run();
 *     await dyno.waitForResult();
 *     console.table(await dyno.results());
 *     await dyno.exportReport('/tmp/insert-duel.html');
 *     await dyno.close();
 */
export interface DynoApp {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly home: string;
  /** Opens an experiment of the library in the builder, by its name. */
  openExperiment(name: string): Promise<void>;
  /** Shows a section of the experiment in the builder. */
  showSection(name: Section): Promise<void>;
  /** Shows a tab of the experiment's workload in the builder. */
  showPart(name: WorkloadPart): Promise<void>;
  /** Shows the YAML beside the form. */
  showYaml(): Promise<void>;
  /** Replaces the text of the experiment in the builder, or of a new one if none is open. Shows the YAML. */
  setYaml(text: string): Promise<void>;
  /** Presses Run and returns the new run's id once its journal exists. */
  run(): Promise<string>;
  /** Cancels the run on screen. */
  cancel(): Promise<void>;
  /** Waits until the window shows the end of the last started run. Rejects after timeoutMs (default: two minutes). */
  waitForResult(timeoutMs?: number): Promise<'complete' | 'cancelled'>;
  /** Outcomes of the finished trials of the last started run. */
  results(): Promise<readonly TrialRow[]>;
  /** All journal records of the last started run. */
  records(): Promise<readonly JournalRecord[]>;
  /** Saves the report of the run on screen. */
  exportReport(path: string): Promise<void>;
  close(): Promise<void>;
}

/** A tab of the section *Workload*. */
type WorkloadPart = 'Data' | 'Statements' | 'Advanced';
/** A section of the builder's outline. */
type Section = 'Question' | 'Targets' | 'Workload' | 'Factors' | 'Measurement';

export const launchDyno = async (options: LaunchOptions = {}): Promise<DynoApp> => drive(await launch(options));

/** Drives an app that is open already. */
export function drive({ app, page, home, close }: LaunchedApp): DynoApp {
  let runId: string | null = null;
  const lastRun = async (): Promise<string> => {
    const id = runId ?? (await runIds(home)).at(-1);
    if (id === undefined) throw new Error('No run has been started under this home.');
    return id;
  };
  const editor = page.getByRole('textbox', { name: 'Experiment file' });
  const openExperiment = async (name: string): Promise<void> => {
    await page.getByRole('navigation').getByRole('link', { name: 'Experiments' }).click();
    await page.getByRole('button', { name, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };

  const showSection = (name: Section): Promise<void> =>
    page.getByRole('tablist', { name: 'Sections' }).getByRole('tab', { name }).click();

  const yaml = page.getByRole('button', { name: 'YAML', exact: true });
  /** Shows the builder, with a new experiment if none is open. */
  const showBuilder = async (): Promise<void> => {
    const create = page.getByRole('button', { name: 'New experiment', exact: true });
    await page.getByRole('navigation').getByRole('link', { name: 'Builder' }).click();
    await create.or(yaml).waitFor();
    if (await create.isVisible()) await create.click();
  };
  const showYaml = async (): Promise<void> => {
    if ((await yaml.getAttribute('aria-pressed')) === 'false') await yaml.click();
    await editor.waitFor();
  };

  return {
    app,
    page,
    home,
    openExperiment,
    showSection,
    async showPart(name) {
      await showSection('Workload');
      const parts = page.getByRole('tablist', { name: 'Parts of the workload' });
      await parts.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    },
    showYaml,
    async setYaml(text) {
      if (!(await yaml.isVisible())) await showBuilder();
      await showYaml();
      await editor.click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(text);
    },
    async run() {
      const before = await runIds(home);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      runId = await until(30_000, 'the run did not start', async () =>
        (await runIds(home)).find((id) => !before.includes(id)),
      );
      return runId;
    },
    cancel: () => page.getByRole('button', { name: 'Cancel run' }).click(),
    async waitForResult(timeoutMs = 120_000) {
      const id = await lastRun();
      const status = await until(timeoutMs, `the run ${id} did not end`, async () => {
        const last = (await readRun(home, id)).at(-1);
        return last?.record === 'end' ? last.status : undefined;
      });
      await page.getByRole('button', { name: 'Export report' }).waitFor();
      return status;
    },
    results: async () => trialRows(await readRun(home, await lastRun())),
    records: async () => readRun(home, await lastRun()),
    async exportReport(path) {
      await answerSaveDialog(app, path);
      await page.getByRole('button', { name: 'Export report' }).click();
      await page.getByRole('button', { name: 'Save report' }).click();
      await page.getByText('Report saved').waitFor();
    },
    close,
  };
}

/** Makes the app's main process answer save dialogs with this path, because Playwright cannot drive system dialogs. */
export const answerSaveDialog = (app: ElectronApplication, path: string): Promise<void> =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, path);

async function until<T>(timeoutMs: number, complaint: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`After ${timeoutMs / 1000} s, ${complaint}.`);
    await sleep(100);
  }
}
