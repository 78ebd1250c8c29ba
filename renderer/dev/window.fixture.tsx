import { act, cleanup, render, screen, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { expect, onTestFinished } from 'vitest';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import type { AppInfo, Requests } from '#protocol/ipc.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { previewRows } from '#protocol/preview.ts';
import { readDataset } from '#rules/dataset-file.ts';
import { makePreview } from '#runner/generator/preview.ts';
import { draftOfPasted } from '#workspace/library/file-drafts.ts';
import { createFakeBridge } from './fake-bridge.ts';
import type { FakeHandlers } from './fake-ipc.ts';

type SavedFile = Requests['files:save']['argument'];

/** The open window of a test. */
export interface TestWindow {
  readonly user: UserEvent;
  /** The files that the page saved, oldest first. */
  readonly saved: readonly SavedFile[];
  /** The text of the experiment in the builder. */
  text(): string;
}

interface Options {
  /** The journals of the runs that the window lists. */
  readonly runs?: readonly Iterable<JournalRecord>[];
  /** The text of an experiment that the window was started to open. */
  readonly opened?: string;
  /** The built-in targets whose server this machine lacks. */
  readonly missing?: AppInfo['missing'];
  /** Answers in place of those of the bridge in memory. */
  readonly handlers?: Partial<FakeHandlers>;
}

let openings = 0;

/**
 * The window as one module, which build-window.setup.mjs has built. Each call evaluates it anew, because it holds the
 * window's state.
 */
const evaluateWindow = async (): Promise<typeof import('./whole-window.fixture.tsx')> =>
  import(`${process.env.DYNO_TEST_WINDOW}?opening=${++openings}`);

/** Opens the whole window on a bridge in memory, as at its first start, and closes it with the test. */
export async function openWindow({
  runs = [],
  opened,
  missing = {},
  handlers = {},
}: Options = {}): Promise<TestWindow> {
  localStorage.clear();
  const saved: SavedFile[] = [];
  let text = '';
  const bridge = createFakeBridge({
    runs,
    missing,
    handlers: {
      'files:opened': async () =>
        opened === undefined ? [] : [{ kind: 'experiment', id: null, origin: 'mine', text: opened, note: null }],
      'files:save': async (file) => {
        saved.push(file);
        return { saved: true };
      },
      'experiments:preview': async ({ text, table }) => {
        const { dataset, problems } = readDataset(readYaml(text), table);
        return dataset ? { preview: makePreview(dataset, previewRows) } : { problems };
      },
      'statements:draft': async ({ script, engine, rows }) => ({ draft: draftOfPasted(script, engine, rows) }),
      ...handlers,
    },
  });
  const watched: typeof bridge = {
    ...bridge,
    request(channel, argument) {
      if (channel === 'experiments:check') ({ text } = argument as Requests['experiments:check']['argument']);
      return bridge.request(channel, argument);
    },
  };
  Object.defineProperty(window, 'dyno', { value: watched, configurable: true });
  const { App, start } = await evaluateWindow();
  render(<App />);
  onTestFinished(cleanup);
  await start();
  return { user: userEvent.setup(), saved, text: () => text };
}

/** Opens a window that has this run alone, and shows it. */
export async function openRecorded(records: Iterable<JournalRecord>, options: Options = {}): Promise<TestWindow> {
  const journal = [...records];
  const opened = await openWindow({ ...options, runs: [journal] });
  await goTo(opened, 'Runs');
  const [name = ''] = journal.flatMap((one) => (one.record === 'header' ? one.plan.experiment.name : []));
  await opened.user.click(await screen.findByRole('button', { name }));
  await screen.findByRole('tab', { name: 'Time series' });
  return opened;
}

/** Opens an experiment of this text in the builder, and waits until it has been checked. */
export async function openExperiment(opened: string, options: Options = {}): Promise<TestWindow> {
  const dyno = await openWindow({ ...options, opened });
  await expect.poll(() => dyno.text()).toBe(opened);
  await region('Form');
  return dyno;
}

/** Waits until the text of the experiment in the builder has this part. */
export const expectText = (dyno: TestWindow, part: string): Promise<void> =>
  expect.poll(() => dyno.text()).toContain(part);

/** Waits until the text of the experiment in the builder no longer has this part. */
export const expectNoText = (dyno: TestWindow, part: string): Promise<void> =>
  expect.poll(() => dyno.text()).not.toContain(part);

/** The button that shows the value of a select. */
export const select = (name: string): HTMLElement =>
  screen.getByRole('button', { name: new RegExp(`^(?!Help: ).*${name}`) });

/** Goes to a page by the links at the side. */
export const goTo = async ({ user }: TestWindow, page: string): Promise<void> =>
  user.click(within(screen.getByRole('navigation')).getByRole('link', { name: new RegExp(`^${page}`) }));

/** Chooses a tab of the page. */
export const openTab = async ({ user }: TestWindow, name: string | RegExp): Promise<void> =>
  user.click(await screen.findByRole('tab', { name }));

/** Presses a button that opens a menu or a list, and chooses one of its entries. */
export async function choose({ user }: TestWindow, button: HTMLElement, entry: string | RegExp): Promise<void> {
  await user.click(button);
  const role = button.getAttribute('aria-haspopup') === 'listbox' ? 'option' : 'menuitem';
  await user.click(await screen.findByRole(role, { name: entry }));
}

/** Replaces the text of a field at once. */
export async function fill({ user }: TestWindow, field: HTMLElement, text: string): Promise<void> {
  await user.click(field);
  (field as HTMLInputElement).select();
  await user.paste(text);
}

/** Shows a section of the experiment in the builder. */
export const openSection = async ({ user }: TestWindow, name: RegExp): Promise<void> => {
  const sections = await screen.findByRole('tablist', { name: /Sections/ });
  await user.click(within(sections).getByRole('tab', { name }));
};

/** Shows a tab of the workload in the builder. */
export const openPart = async (dyno: TestWindow, part: 'Data' | 'Statements' | 'Advanced'): Promise<void> => {
  await openSection(dyno, /^Workload/);
  const parts = await screen.findByRole('tablist', { name: 'Parts of the workload' });
  await dyno.user.click(within(parts).getByRole('tab', { name: new RegExp(`^${part}`) }));
};

/** Puts the focus on an element and presses a key. */
export async function press({ user }: TestWindow, element: HTMLElement, key: string): Promise<void> {
  act(() => element.focus());
  await user.keyboard(`{${key}}`);
}

/** A part of the page by its name, once it is there. */
export const region = (name: string | RegExp): Promise<HTMLElement> => screen.findByRole('region', { name });

/** The texts that a chart draws. */
export const drawnTexts = (chart: HTMLElement): readonly string[] =>
  [...chart.querySelectorAll('text')].map(({ textContent }) => textContent);
