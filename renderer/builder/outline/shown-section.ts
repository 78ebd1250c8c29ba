import { createStore } from '../../state/store.ts';
import type { SectionId, WorkloadPart } from './sections.ts';

/** The section that the form shows. */
export const shownSection = createStore<SectionId>('question');

/** The tab of the workload that the form shows. */
export const shownPart = createStore<WorkloadPart>('data');
