import { draft } from '../../builder/draft/draft-store.ts';
import { openExperiment } from '../../library/library-actions.ts';
import { starterEntry } from '../../library/library-store.ts';
import { currentPage, goTo } from '../../state/navigation.ts';
import { runs } from '../../state/runs.ts';
import { createStore } from '../../state/store.ts';
import { modKey } from '../../ui/text/mod-key.ts';
import { texts } from '../text.ts';

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
      title: texts.tourStore.aRun,
      text: texts.tourStore.trialsRunOneAfterAnother,
      show: () => goTo({ page: 'run', runId }),
    },
  ];
}

const steps = (): readonly TourStep[] => [
  ...runStep(),
  {
    title: texts.tourStore.experiments,
    text: texts.tourStore.anExperimentAsksOneQuestion,
    show: () => goTo({ page: 'experiments' }),
  },
  {
    title: texts.tourStore.theBuilder,
    text: texts.tourStore.theOutlineLeadsThroughThe,
    show: () => {
      const entry = starterEntry();
      if (draft.get() || !entry) goTo({ page: 'builder' });
      else void openExperiment(entry);
    },
  },
  {
    title: texts.tourStore.connections,
    text: texts.tourStore.addYourOwnServersAnd,
    show: () => goTo({ page: 'connections' }),
  },
  {
    title: texts.tourStore.findingThings,
    text: texts.tourStore.kFindsEveryCommandExperiment(modKey),
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
