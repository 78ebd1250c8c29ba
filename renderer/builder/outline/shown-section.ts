import { createStore } from '../../state/store.ts';
import type { KeyPath } from '../draft/raw-experiment.ts';
import type { SectionId, WorkloadPart } from './sections.ts';

/** The section that the form shows. */
export const shownSection = createStore<SectionId>('question');

interface OpenedLevel {
  readonly factor: string;
  /** Null: the factor has a list of levels, and its field gets the focus. */
  readonly level: string | null;
  /** The place of the level's value that gets the focus when the form shows it. Absent: the focus stays. */
  readonly place?: KeyPath;
}

/** The level of a factor that the form shows open; null: all levels are closed. */
export const openedLevel = createStore<OpenedLevel | null>(null);

/** The tab of the workload that the form shows. */
export const shownPart = createStore<WorkloadPart>('data');
