import { createStore } from '../state/store.ts';
import type { Topic } from './passages.ts';

/** The shown topic. Null: the help is closed; 'contents': no topic is chosen. */
export const shownHelp = createStore<Topic | 'contents' | null>(null);

/** Opens the help for a topic. */
export const openHelp = (topic: Topic | 'contents'): void => shownHelp.set(topic);

export const closeHelp = (): void => shownHelp.set(null);

/** The topic of a results panel, by its title in the outline. */
export const panelTopic = (title: string): Topic => ({ document: 'reading-results', term: title });

/** The topic of a finding, by its title. */
export const findingTopic = (title: string): Topic => ({ document: 'reading-results', term: title });

/** The topic of a setting or engine option, by its key in the file. */
export const settingTopic = (name: string): Topic => ({
  document: name.includes('.') ? 'engines' : 'file-format',
  term: name,
  isKey: true,
});

/** The topic of a section of the file, such as `measure` or `targets`. */
export const fileTopic = (key: string): Topic => ({ document: 'file-format', term: key });

/** The topic of a key of the file, as its tables list it: `measure.repeats`, `dataset.rows`. */
export const keyTopic = (key: string): Topic => ({ document: 'file-format', term: key, isKey: true });

/** The topic about methods, and the engines that support them. */
export const methodTopic: Topic = { document: 'engines', term: 'Methods of all engines' };

/** The topic about the methods of an engine. */
export const engineTopic = (id: string): Topic => ({ document: 'engines', term: `engine ${id}` });

/** The topic about the numbers of a live run. */
export const liveTopic: Topic = { document: 'guide', term: 'While a run goes on' };

/** The topic about the columns of the list of runs. */
export const runsTopic: Topic = { document: 'guide', term: 'The list of runs' };

/** The topic about the history of an experiment. */
export const historyTopic: Topic = { document: 'guide', term: 'The history of an experiment' };

/** The topic about load hosts and how to add them. */
export const loadHostsTopic: Topic = { document: 'load-hosts', term: 'Load hosts' };
