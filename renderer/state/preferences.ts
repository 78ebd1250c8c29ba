import * as v from 'valibot';
import { type ReportChoices, reportChoicesSchema, standardChoices } from '#protocol/report-choices.ts';
import { type ReportFormat, reportFormats } from '#protocol/report-formats.ts';
import { defaultLimits, type NewExperimentDefaults, standardDefaults } from './new-experiment-defaults.ts';
import { createStore, type Store } from './store.ts';

const prefix = 'dyno.';

/** A value that the window remembers between starts. Without a stored valid value it is the default. */
function remembered<T>(name: string, schema: v.GenericSchema<unknown, T>, standard: T): Store<T> {
  const key = `${prefix}${name}`;
  const store = createStore(stored(key, schema) ?? standard);
  store.subscribe(() => localStorage.setItem(key, JSON.stringify(store.get())));
  return store;
}

function stored<T>(key: string, schema: v.GenericSchema<unknown, T>): T | null {
  try {
    const { success, output } = v.safeParse(schema, JSON.parse(localStorage.getItem(key) ?? 'null'));
    return success ? (output as T) : null;
  } catch {
    return null;
  }
}

const { title: _title, author: _author, ...standardPreferences } = standardChoices;

/** The author whom reports name. Empty: reports name nobody. */
export const reportAuthor = remembered('author', v.string(), '');

type RememberedReport = Omit<ReportChoices, 'title' | 'author'> & { readonly format: ReportFormat };

/** The last choices of a report. Its title is chosen for each report, and its author has a setting. */
export const reportPreferences = remembered<RememberedReport>(
  'report',
  v.object({ ...v.omit(reportChoicesSchema, ['title', 'author']).entries, format: v.picklist(reportFormats) }),
  { ...standardPreferences, format: 'html' },
);

const { repeats, seconds } = defaultLimits;

/** The user's defaults of new experiments. */
export const newExperimentDefaults = remembered<NewExperimentDefaults>(
  'newExperiments',
  v.object({
    targets: v.pipe(v.array(v.string()), v.minLength(1)),
    repeats: v.pipe(v.number(), v.integer(), v.minValue(repeats.min), v.maxValue(repeats.max)),
    seconds: v.pipe(v.number(), v.minValue(seconds.min), v.maxValue(seconds.max)),
  }),
  standardDefaults,
);
