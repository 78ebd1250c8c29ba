import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { mainSettings } from '../outline/sections.ts';

/** The settings and options of the file that the tab *Advanced* shows. */
export const otherSettings = (raw: Raw): readonly string[] => [
  ...Object.keys(recordAt(raw, ['workload'])).filter((name) => name !== 'options' && !mainSettings.includes(name)),
  ...Object.keys(recordAt(raw, ['workload', 'options'])),
];
