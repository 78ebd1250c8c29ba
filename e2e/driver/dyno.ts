import { setTimeout as sleep } from 'node:timers/promises';
import { DynoError } from '#model/error.ts';
import type { Answers, Dyno, Run } from './api.ts';
import type { Attached } from './attach.ts';
import { changedText, readText, showYaml, writeText } from './editor.ts';
import { fillForm, showPart, showSection } from './form.ts';
import type { Installation } from './installation.ts';
import { openFile } from './open-file.ts';
import { takePicture } from './picture.ts';
import { answerQuestion } from './questions.ts';
import { type RunsWindow, runIn } from './run.ts';
import { closeErrors, errorsOf, type ProgressFeed, progressOf, request, shownError } from './window.ts';

/** Dyno with the window that is attached. */
export function dynoOf(
  { page, app, process }: Attached,
  installation: Installation,
  home: string,
  close: () => Promise<void>,
): Dyno {
  let feed: Promise<ProgressFeed> | null = null;
  const progress = () => {
    feed ??= progressOf(page);
    return feed;
  };
  const window: RunsWindow = { page, process, installation, home, progress };
  const rail = page.getByRole('navigation');
  const runs = () => request(page, 'runs:list', null);
  const problems = async () => (await request(page, 'experiments:check', { text: await readText(page) })).diagnostics;

  return {
    page,
    app,
    process,
    home,
    version: installation.version,
    open: (file) => openFile(page, file),
    async openExperiment(name) {
      await rail.getByRole('link', { name: 'Experiments' }).click();
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    },
    showPage: (name) => rail.getByRole('link', { name, exact: true }).click(),
    showSection: (name) => showSection(page, name),
    showPart: (name) => showPart(page, name),
    showYaml: () => showYaml(page),
    text: () => readText(page),
    write: (text) => writeText(page, text),
    change: async (changes) => writeText(page, changedText(await readText(page), changes)),
    fill: (label, value, section) => fillForm(page, label, value, section),
    problems,
    start: (answers = {}) => start(window, answers, problems),
    runs,
    async runOf(id) {
      const found = id ?? (await runs())[0]?.id;
      if (found === undefined) throw new DynoError('badInput', `There is no run in ${home}.`);
      return runIn(window, found);
    },
    screenshot: (path, options = {}) => takePicture(page, path, options),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const refusal = 'Could not start the run';

/** The time in which a run begins after the last answer. */
const patienceMs = 60_000;

/** Presses *Run*, answers questions, and resolves with the run when it has begun. */
async function start(window: RunsWindow, answers: Answers, problems: Dyno['problems']): Promise<Run> {
  const { page } = window;
  const errors = await errorsIn(problems);
  if (errors.length > 0) throw new DynoError('badInput', `The experiment cannot run:\n${errors.join('\n')}`);
  await closeErrors(page, refusal);
  const before = new Set((await request(page, 'runs:list', null)).map(({ id }) => id));
  const feed = await window.progress();
  let begun: string | null = null;
  const stopListening = feed.listen((told) => {
    if (told !== null && !before.has(told.runId)) begun ??= told.runId;
  });
  try {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const refused = errorsOf(page, refusal).first();
    const dialog = page.getByRole('dialog');
    for (let end = Date.now() + patienceMs; begun === null; await sleep(50)) {
      if (await refused.isVisible()) throw await shownError(refused);
      if (await dialog.isVisible()) {
        await answerQuestion(page, dialog, answers);
        end = Date.now() + patienceMs;
      } else if (Date.now() > end) throw new DynoError('timeout', `No run has begun within ${patienceMs / 1_000} s.`);
    }
  } finally {
    stopListening();
  }
  await page.getByRole('tablist', { name: 'Views of the run' }).waitFor();
  return runIn(window, begun);
}

const errorsIn = async (problems: Dyno['problems']): Promise<readonly string[]> =>
  (await problems())
    .filter(({ severity }) => severity === 'error')
    .map(({ line, message, suggestion }) => `line ${line}: ${message}${suggestion ? ` ${suggestion}` : ''}`);
