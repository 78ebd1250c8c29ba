import type { SearchedSetting } from '#experiment/schema/search.ts';
import { datasetName } from '#model/dataset/tables.ts';
import { asText, isRecord, type KeyPath, type Raw, recordAt, variedBy } from '../draft/raw-experiment.ts';
import { fieldAt } from '../form/form-field.ts';

/** The kind of an experiment: the first choice of the builder. */
export type Mode = 'compare' | 'maximum' | 'custom';

/** A value of the file. Undefined removes the key. */
interface Change {
  readonly path: KeyPath;
  readonly value: unknown;
}

export function modeOf(raw: Raw): Mode {
  if (recordAt(raw, ['measure']).search !== undefined) return 'maximum';
  return recordAt(raw, ['workload']).operation === 'statement' ? 'custom' : 'compare';
}

const firstOf = (key: string): unknown => fieldAt(['measure', 'search', key]).first;
/** The limit of a new search for a limit. */
export const newLimit = fieldAt(['goals', 'p99Ms']).first;
/** The values of a new search. */
export const newSearch = { from: firstOf('from'), to: firstOf('to') };

/** The setting that a search of this workload raises by default. */
export function usualSetting(find: string, raw: Raw): SearchedSetting {
  const { load, users, thinkMs } = recordAt(raw, ['workload']);
  if (find === 'knee') return 'connections';
  if (load === 'open' || load === 'partlyOpen') return 'arrivalsPerSecond';
  return users === undefined && thinkMs === undefined ? 'connections' : 'users';
}

const removed = (...paths: readonly KeyPath[]): readonly Change[] => paths.map((path) => ({ path, value: undefined }));

/** The question of a new experiment of each mode. */
export const modeQuestions: Readonly<Record<Mode, string>> = {
  compare: 'Which method inserts fastest?',
  maximum: 'How much load can each target take until 1 % of its calls take longer than the limit?',
  custom: 'How fast are these statements on each target?',
};

/**
 * Changes an experiment to this mode. Keys that do not conflict with the mode are kept. The question and its background
 * give way to the question of the mode, unless the user has written them since the file with `saved` was opened.
 */
export const changesTo = (mode: Mode, raw: Raw, saved: Raw): readonly Change[] => [
  ...(raw.question === saved.question || Object.values<unknown>(modeQuestions).includes(raw.question)
    ? [{ path: ['question'], value: modeQuestions[mode] }]
    : []),
  ...(raw.about === saved.about ? removed(['about']) : []),
  ...changesOf(mode, raw),
];

function changesOf(mode: Mode, raw: Raw): readonly Change[] {
  switch (mode) {
    case 'compare':
      return [...removed(['measure', 'search']), ...withoutStatements(raw)];
    case 'maximum':
      return withSearch(raw);
    case 'custom':
      return [...removed(['measure', 'search']), ...withStatement(raw)];
  }
}

const newDataset = {
  rows: 20_000,
  key: 'id',
  columns: { id: { type: 'uuid4' }, payload: { type: 'text', length: 20 } },
};

function withoutStatements(raw: Raw): readonly Change[] {
  if (recordAt(raw, ['workload']).operation !== 'statement') return [];
  return [
    ...removed(
      ['statements'],
      ['transactions'],
      ['scenarios'],
      ['checks'],
      ['baseline'],
      ['explain'],
      ['compare'],
      ['measure', 'stages'],
    ),
    ...(raw.dataset === undefined ? [{ path: ['dataset'], value: newDataset }] : []),
    { path: ['workload'], value: { operation: 'insert' } },
    { path: ['factors'], value: { method: ['prepared', 'multiRow'] } },
  ];
}

function withSearch(raw: Raw): readonly Change[] {
  const measure = recordAt(raw, ['measure']);
  const { repeats, until } = measure;
  const setting = usualSetting('limit', raw);
  const factors = Object.entries(recordAt(raw, ['factors'])).filter(([name, levels]) =>
    variedBy(name, levels).includes(setting),
  );
  return [
    ...removed(
      ...factors.flatMap(([name]): KeyPath[] => [
        ['factors', name],
        ['baseline', name],
        ['explain', name],
      ]),
      ['workload', setting],
      ['measure', 'stages'],
      ['measure', 'budgetSeconds'],
      ['measure', 'until', 'precision'],
      ['measure', 'until', 'calls'],
      ...(isRecord(repeats) ? [['measure', 'repeats']] : []),
      ...sizesWithoutLoad(raw, setting),
    ),
    ...(isRecord(until) && typeof until.seconds === 'number'
      ? []
      : [{ path: ['measure', 'until'], value: { seconds: secondsOf(measure.stages) || 1 } }]),
    { path: ['measure', 'search'], value: { find: 'limit', setting, ...newSearch } },
    ...(raw.goals === undefined ? [{ path: ['goals'], value: { p99Ms: newLimit } }] : []),
  ];
}

/** The total time of the stages of a trial in seconds. 0 without stages. */
const secondsOf = (stages: unknown): number =>
  (Array.isArray(stages) ? stages : [])
    .map((stage) => (isRecord(stage) && typeof stage.seconds === 'number' ? stage.seconds : 0))
    .reduce((sum, seconds) => sum + seconds, 0);

/** The values that the sizes set for the load of a search. */
const sizesWithoutLoad = (raw: Raw, setting: SearchedSetting): readonly KeyPath[] =>
  Object.keys(recordAt(raw, ['sizes'])).flatMap((size): KeyPath[] =>
    [
      ['workload', setting],
      ['measure', 'stages'],
      ['measure', 'budgetSeconds'],
    ]
      .filter(([part = '', key = '']) => recordAt(raw, ['sizes', size, part])[key] !== undefined)
      .map((path) => ['sizes', size, ...path]),
  );

function withStatement(raw: Raw): readonly Change[] {
  if (recordAt(raw, ['workload']).operation === 'statement') return [];
  const { key } = recordAt(raw, ['dataset']);
  const name = asText(key) || newDataset.key;
  const { until } = recordAt(raw, ['measure']);
  return [
    ...removed(['factors'], ['baseline'], ['explain'], ['compare']),
    ...(raw.dataset === undefined ? [{ path: ['dataset'], value: newDataset }] : []),
    { path: ['workload'], value: { operation: 'statement' } },
    {
      path: ['statements'],
      value: {
        'look-up': {
          text: `SELECT * FROM {${datasetName(raw.dataset)}} WHERE ${name} = :${name}`,
          parameters: { [name]: { type: 'key' } },
        },
      },
    },
    ...(isRecord(until) && until.rows === undefined ? [] : [{ path: ['measure', 'until'], value: { seconds: 1 } }]),
  ];
}
