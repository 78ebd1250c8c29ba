import { createStore } from '../../state/store.ts';
import type { SectionId, WorkloadPart } from './sections.ts';

/** The section that the form shows. */
export const shownSection = createStore<SectionId>('question');

/** The level of a factor that the form shows open; null: all levels are closed. */
export const openedLevel = createStore<{ readonly factor: string; readonly level: string } | null>(null);

/** The tab of the workload that the form shows. */
export const shownPart = createStore<WorkloadPart>('data');
