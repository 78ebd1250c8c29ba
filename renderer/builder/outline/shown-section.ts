import { createStore } from '../../state/store.ts';
import type { SectionId } from './sections.ts';

/** The section that the form shows. */
export const shownSection = createStore<SectionId>('question');
