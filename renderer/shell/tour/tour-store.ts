import { draft } from '../../builder/draft/draft-store.ts';
import { openExperiment } from '../../library/library-actions.ts';
import { starterEntry } from '../../library/library-store.ts';
import { currentPage, goTo } from '../../state/navigation.ts';
import { runs } from '../../state/runs.ts';
import { createStore } from '../../state/store.ts';
import { modKey } from '../../ui/text/mod-key.ts';

interface TourStep {
  readonly title: string;
  readonly text: string;
  /** Shows the page that the step is about. Absent: the user already sees it. */
  readonly show?: () => void;
  /** A selector of the part of the page that the step is about. Absent: the whole page. */
  readonly place?: string;
}

interface Tour {
  readonly name: string;
  readonly steps: readonly TourStep[];
  /** Index of the step on show. */
  readonly at: number;
}

/** The current tour; null: no tour is shown. */
export const tour = createStore<Tour | null>(null);

const seenKey = 'dyno.first-result';

/** The run whose results are to be explained when they are there; null: none. */
export const firstRun = createStore<string | null>(null);

/** Starts the tour of a run's results when they are there, unless it was shown before. */
export function explainFirstResult(runId: string): void {
  if (localStorage.getItem(seenKey) === null) firstRun.set(runId);
}

/** Explains the visible results in three steps, and notes that the tour of results need not be shown again. */
export function startResultTour(): void {
  localStorage.setItem(seenKey, 'seen');
  firstRun.set(null);
  start('First result', [
    {
      place: '[data-chart="answer"]',
      title: 'The answer',
      text: 'The answer names the fastest cell and its lead, and says whether more repeats could change that.',
    },
    {
      place: '[data-chart="results"]',
      title: 'The picture',
      text: 'Each bar has a whisker for its 95 % interval. Press a bar to see its trials, percentiles and where its time went.',
    },
    {
      place: '[role="tab"][data-key="findings"]',
      title: 'The reasons',
      text: 'Findings say what limited each server, show the numbers behind it, and suggest a change.',
    },
  ]);
}

/** The page of a run, for a window that has one. */
function runStep(): TourStep[] {
  const [newest] = runs.get() ?? [];
  const here = currentPage.get();
  const runId = here.page === 'run' ? here.runId : newest?.id;
  if (runId === undefined) return [];
  return [
    {
      title: 'A run',
      text: 'Trials run one after another, in random order, on every target. At the end the answer is on top: which is fastest, by how much, and how certain that is. The other tabs hold the evidence.',
      show: () => goTo({ page: 'run', runId }),
    },
  ];
}

const pageSteps = (): readonly TourStep[] => [
  ...runStep(),
  {
    title: 'Experiments',
    text: 'An experiment asks one question of several targets: servers, or engines inside Dyno. Each card of the gallery says what it shows, how long it takes, and on which engines. Yours are at the top.',
    show: () => goTo({ page: 'experiments' }),
  },
  {
    title: 'The builder',
    text: 'The outline leads through the form, one section at a time, and YAML shows the file beside it: both are views of one file. The plan lists what will run, and why something cannot. Drop an experiment, a run, an SQL script or a CSV file anywhere onto the window to open it.',
    show: () => {
      const entry = starterEntry();
      if (draft.get() || !entry) goTo({ page: 'builder' });
      else void openExperiment(entry);
    },
  },
  {
    title: 'Connections',
    text: 'Add your own servers, and test them step by step. Passwords stay in this computer’s keyring, or in memory until Dyno quits. What Dyno can install by itself is here as well.',
    show: () => goTo({ page: 'connections' }),
  },
  {
    title: 'Finding things',
    text: `${modKey} K finds every command, experiment, run and connection. This tour is under ? at the bottom left, and in the menu Help.`,
    show: () => goTo({ page: 'home' }),
  },
];

function start(name: string, steps: readonly TourStep[]): void {
  tour.set({ name, steps, at: 0 });
  steps[0]?.show?.();
}

/** Starts the tour of the window. */
export const startTour = (): void => start('Tour', pageSteps());

export function endTour(): void {
  tour.set(null);
}

/** Goes `by` steps forwards, or back if it is negative; the tour ends after its last step. */
export function moveTour(by: 1 | -1): void {
  const now = tour.get();
  const next = now?.steps[now.at + by];
  if (!now || !next) {
    endTour();
    return;
  }
  tour.set({ ...now, at: now.at + by });
  next.show?.();
}
