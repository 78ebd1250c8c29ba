import { usualRepeats } from '#experiment/schema/experiment.ts';
import { allRows } from '#experiment/schema/until.ts';
import { formatCount } from '#model/format/format.ts';
import type { Diagnostic } from '#model/text/diagnostic.ts';
import { parsePath } from '#model/text/path-text.ts';
import { asText, isRecord, listAt, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { settingField } from '../form/setting-fields.ts';

/** A part of the form. The outline lists all sections, and the form shows one at a time. */
export type SectionId = 'question' | 'targets' | 'workload' | 'factors' | 'measurement';

/** The sections in the order of the outline. */
export const sections: readonly { readonly id: SectionId; readonly label: string }[] = [
  { id: 'question', label: 'Question' },
  { id: 'targets', label: 'Targets' },
  { id: 'workload', label: 'Workload' },
  { id: 'factors', label: 'Factors' },
  { id: 'measurement', label: 'Measurement' },
];

const sectionOfKey: Readonly<Record<string, SectionId>> = {
  targets: 'targets',
  prices: 'targets',
  workload: 'workload',
  dataset: 'workload',
  tables: 'workload',
  setup: 'workload',
  teardown: 'workload',
  statements: 'workload',
  transactions: 'workload',
  scenarios: 'workload',
  checks: 'workload',
  session: 'workload',
  server: 'workload',
  factors: 'factors',
  measure: 'measurement',
  baseline: 'measurement',
  compare: 'measurement',
  judge: 'measurement',
  goals: 'measurement',
  equal: 'measurement',
};

/** A tab of the section *Workload*. */
export type WorkloadPart = 'data' | 'statements' | 'advanced';

/** The settings that the tab *Statements* shows. The tab *Advanced* shows all others. */
export const mainSettings: readonly string[] = [
  'operation',
  'method',
  'rowsPerCall',
  'callsPerCommit',
  'load',
  'connections',
  'users',
  'thinkMs',
  'arrivalsPerSecond',
];

/** The tab of the workload with the fields of a path in the file. Null if the path belongs to another section. */
export function partOf(path: string): WorkloadPart | null {
  if (sectionOf(path) !== 'workload') return null;
  const [key = '', setting] = parsePath(path).map(String);
  if (['dataset', 'tables', 'setup', 'teardown'].includes(key)) return 'data';
  if (key === 'checks' || key === 'session' || key === 'server') return 'advanced';
  return key === 'workload' && setting !== undefined && !mainSettings.includes(setting) ? 'advanced' : 'statements';
}

/** The section with the fields of a path in the file. An empty path means the whole file and has no section. */
export function sectionOf(path: string): SectionId | null {
  const [key = ''] = path.split(/[.[]/);
  return key === '' ? null : (sectionOfKey[key] ?? 'question');
}

/** True if the form has a section for the first key of a path. */
export const isFileKey = (path: string): boolean => Object.hasOwn(sectionOfKey, path.split(/[.[]/)[0] ?? '');

/** The status beside a section's name. */
export type SectionStatus = 'ok' | Diagnostic['severity'];

/** The most severe status of the problems of a section, or of a tab of the workload. */
export function statusOf(id: SectionId | WorkloadPart, problems: readonly Diagnostic[]): SectionStatus {
  const own = problems.filter(({ path }) => sectionOf(path) === id || partOf(path) === id);
  if (own.some(({ severity }) => severity === 'error')) return 'error';
  return own.length > 0 ? 'warning' : 'ok';
}

const count = (found: number, one: string): string => `${formatCount(found)} ${one}${found === 1 ? '' : 's'}`;

/** A one-line summary of a section. */
export function summaryOf(id: SectionId, raw: Raw): string {
  switch (id) {
    case 'question':
      return asText(raw.question) || 'No question yet';
    case 'targets':
      return listAt(raw, ['targets'])
        .map((target) => asText(isRecord(target) ? target.name : target))
        .join(', ');
    case 'workload':
      return workloadText(raw);
    case 'factors':
      return (
        Object.entries(recordAt(raw, ['factors']))
          .map(([name, levels]) => `${settingField(name)?.label ?? name} (${levelCount(levels)})`)
          .join(', ') || 'None: one variant'
      );
    case 'measurement':
      return measurementText(recordAt(raw, ['measure']));
  }
}

const levelCount = (levels: unknown): number => Object.keys(Object(levels)).length;

function workloadText(raw: Raw): string {
  const { operation } = recordAt(raw, ['workload']);
  const { rows } = recordAt(raw, ['dataset']);
  const statements = Object.keys(recordAt(raw, ['statements'])).length;
  return [
    operation === 'statement' ? count(statements, 'statement') : asText(operation),
    ...(typeof rows === 'number' ? [count(rows, 'row')] : []),
  ].join(', ');
}

function measurementText(measure: Raw): string {
  const { repeats } = measure;
  const until = recordAt(measure, ['until']);
  const times = isRecord(repeats) ? `${asText(repeats.min)} to ${asText(repeats.max)} repeats` : '';
  const length =
    typeof until.seconds === 'number'
      ? `${until.seconds} s a trial`
      : typeof until.rows === 'number'
        ? `${count(until.rows, 'row')} a trial`
        : until.rows === allRows
          ? 'all rows a trial'
          : typeof until.calls === 'number'
            ? `${count(until.calls, 'call')} a trial`
            : '';
  return [
    ...(measure.search === undefined ? [] : ['search']),
    times || count(typeof repeats === 'number' ? repeats : usualRepeats, 'repeat'),
    ...(length ? [length] : []),
  ].join(', ');
}
