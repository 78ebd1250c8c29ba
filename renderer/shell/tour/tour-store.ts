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
  /** Shows the page that the step is about. */
  readonly show: () => void;
}

/** The steps of the tour that is under way and the one on show; null: none is. */
export const tour = createStore<{ readonly steps: readonly TourStep[]; readonly at: number } | null>(null);

/** The page of a run, for a window that has one. */
function runStep(): TourStep[] {
  const [newest] = runs.get() ?? [];
  const here = currentPage.get();
  const runId = here.page === 'run' ? here.runId : newest?.id;
  if (runId === undefined) return [];
  return [
    {
      title: 'A run',
      text: 'Trials run one after another, in random order, on every server. At the end the answer is on top: which is fastest, by how much, and how certain that is. The other tabs hold the evidence.',
      show: () => goTo({ page: 'run', runId }),
    },
  ];
}

const steps = (): readonly TourStep[] => [
  ...runStep(),
  {
    title: 'Experiments',
    text: 'An experiment asks one question of several servers. Each card of the gallery says what it shows, how long it takes, and on which engines. Yours are at the top.',
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

export function startTour(): void {
  const all = steps();
  tour.set({ steps: all, at: 0 });
  all[0]?.show();
}

export function endTour(): void {
  tour.set(null);
}

/** Goes on by `by` steps, or back; behind the last step the tour ends. */
export function moveTour(by: 1 | -1): void {
  const now = tour.get();
  const next = now?.steps[now.at + by];
  if (!now || !next) {
    endTour();
    return;
  }
  tour.set({ ...now, at: now.at + by });
  next.show();
}
