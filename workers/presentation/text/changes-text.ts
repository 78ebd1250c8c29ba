import type { ChangeKind, RunChange } from '#protocol/run-change.ts';

/** The text that replaces an empty table of differences. */
export const nothingChanged =
  'No difference: experiment, servers, settings, indexes, drivers, Dyno and machine are the same in these run files.';

/** The kinds of differences in words. */
export const changeKindText: Readonly<Record<ChangeKind, string>> = {
  version: 'Version',
  durability: 'Durability setting',
  setting: 'Server setting',
  index: 'Index',
  schema: 'Data and schema',
  statement: 'Statement',
  workload: 'Workload',
  variant: 'Variant',
  server: 'Target',
  loadHost: 'Load host',
  file: 'File (SHA-256)',
  price: 'Price',
  measurement: 'Measurement',
  driver: 'Driver',
  dyno: 'Dyno',
  machine: 'Machine',
};

/** The most changes that are named. The table has all of them. */
const mostNamed = 3;
const mostInSentence = 40;

/** The differences between two runs, as sentences. Empty without differences. */
export function changesText(changes: readonly RunChange[]): string {
  if (changes.length === 0) return '';
  return `What changed between the runs: ${formatChanges(changes)}.${changes.length > 1 ? ' To separate their effects, change one at a time.' : ''}`;
}

/** The most important differences in one line: "synchronous_commit on → off at shop; index (created) added; 2 more". */
export function formatChanges(changes: readonly RunChange[], most = mostNamed): string {
  const named = changes.slice(0, most).map((change) => changeText(change));
  const more = changes.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

/** "synchronous_commit on → off at shop"; "index (created) added". */
function changeText({ kind, what, where, before, after }: RunChange): string {
  const place = where === null ? '' : ` at ${where}`;
  const name = kind === 'index' ? `index ${what}` : what;
  if (before === null) return `${name}${place} added`;
  if (after === null) return `${name}${place} removed`;
  const [from, to] = excerpts(before, after, mostInSentence);
  return kind === 'version' ? `${from} → ${to}${place}` : `${name} ${from} → ${to}${place}`;
}

/** The longest text that is shown completely. */
const mostCharacters = 90;
/** The number of characters of a longer text before its first difference. */
const context = 20;

/**
 * Two texts for a table. Long texts begin shortly before their first difference, and a dash stands for an absent text.
 */
export function excerpts(
  before: string | null,
  after: string | null,
  most = mostCharacters,
): readonly [string, string] {
  const [old, now] = [before ?? '', after ?? ''].map((text) => text.replaceAll(/\s+/g, ' '));
  const excerpt = (text = '', from: number) => {
    const rest = text.slice(from, from + most);
    return `${from > 0 ? '…' : ''}${rest}${from + most < text.length ? '…' : ''}`;
  };
  let same = 0;
  while (old && now && same < Math.min(old.length, now.length) && old[same] === now[same]) same++;
  const isLong = Math.max(old?.length ?? 0, now?.length ?? 0) > most;
  const from = isLong && before !== null && after !== null ? Math.max(0, same - context) : 0;
  return [before === null ? '–' : excerpt(old, from), after === null ? '–' : excerpt(now, from)];
}
