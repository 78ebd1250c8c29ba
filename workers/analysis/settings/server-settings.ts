import { isolationTitle, trueIsolation } from '#engine-api/support/isolation.ts';
import { type Isolation, isolations } from '#model/settings/vocabulary.ts';
import { variantOf } from '#planning/variant-of.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { Medium, RunModel } from '../run-model/run-model.ts';
import { madeNames, valueInTrials } from './session-values.ts';

/** The effects in which settings can differ, the most important first. */
export const mattersInOrder = [
  'durability',
  'isolation',
  'medium',
  'place',
  'transport',
  'rows',
  'foreignKeys',
  'memory',
  'other',
] as const;
export type Matters = (typeof mattersInOrder)[number];

/** A setting over all targets of the table of compared settings; null for a target that lacks the setting. */
export interface ComparedSetting {
  readonly group: 'setup' | 'durability' | 'memory' | 'other';
  readonly setting: string;
  readonly matters: Matters;
  readonly values: readonly (string | null)[];
  /** True if targets with the setting have different values. */
  readonly differs: boolean;
}

type Facts = Pick<RunModel, 'plan' | 'targets' | 'cells' | 'trials'>;

const groups = ['durability', 'memory', 'other'] as const;

/**
 * True for a server's name of the default isolation of a session. These names share one row, because isolation is part
 * of a commit's guarantee.
 */
const isIsolation = (setting: string): boolean => /^(default[ _])?((transaction|tx)[ _])?isolation$/i.test(setting);
export const isolationSetting = 'isolation';

/** Settings of all targets side by side, in the order of `targets`; settings that two engines share are in one row. */
export function comparedServerSettings(model: Facts): readonly ComparedSetting[] {
  const { targets } = model;
  const isolation = isolationRow(model);
  const stored = storedRow(model);
  const named = groups.flatMap((group) => {
    const names = new Set(targets.flatMap(({ fingerprint }) => Object.keys(fingerprint?.[group] ?? {})));
    return [...names]
      .filter((setting) => !isIsolation(setting))
      .map((setting): ComparedSetting => {
        const values = targets.map((target) =>
          valueInTrials(model, target, setting, target.fingerprint?.[group][setting] ?? null),
        );
        return { group, setting, matters: group, values, differs: differ(values) };
      });
  });
  const of = (group: ComparedSetting['group']) => named.filter((row) => row.group === group);
  return [
    ...of('durability'),
    ...(isolation === null ? [] : [isolation]),
    ...of('memory'),
    ...(stored === null ? [] : [stored]),
    ...of('other'),
    ...madeRows(model, new Set(named.map(({ setting }) => setting.toLowerCase()))),
  ];
}

/**
 * The settings that the experiment made for sessions or servers, without those that servers report for everybody, in
 * lower case.
 */
function madeRows(model: Facts, known: ReadonlySet<string>): readonly ComparedSetting[] {
  const { targets } = model;
  const made = targets.flatMap((target) => madeNames(model, target));
  const names = new Set(made.filter((name) => !known.has(name.toLowerCase())));
  return [...names].map((setting) => {
    const values = targets.map((target) =>
      madeNames(model, target).includes(setting) ? valueInTrials(model, target, setting, null) : null,
    );
    return { group: 'other', setting, matters: 'other', values, differs: differ(values) };
  });
}

/** True if targets with the setting have different values. */
export const differ = (values: readonly (string | null)[]): boolean =>
  new Set(values.filter((value) => value !== null)).size > 1;

/** A value that means no isolation, with or without an explanation. */
export const isNone = (isolation: string | null): boolean => isolation !== null && /^none\b/i.test(isolation.trim());

/** A server without isolation differs from every other server, even from servers that do not report theirs. */
function isolationRow({ targets, plan, cells }: Omit<Facts, 'trials'>): ComparedSetting | null {
  const told = targets.map((target) => {
    const own = cells.flatMap(({ variant, target: name, ok }) =>
      name === target.name && ok > 0 ? [variantOf(plan, variant)?.settings.isolation ?? 'default'] : [],
    );
    const levels = isolations.filter((level) => own.includes(level));
    return new Map((levels.length === 0 ? (['default'] as const) : levels).map((level) => [level, has(target, level)]));
  });
  const values = told.map(inWords);
  if (values.every((value) => value === null)) return null;
  // Variants of different targets may request different levels, so only values of the same level are compared.
  const differs = isolations.some((level) => {
    const compared = targets.flatMap(({ fingerprint, descriptor }, i) =>
      fingerprint === null || descriptor.reference || !told[i]?.has(level) ? [] : [told[i].get(level) ?? null],
    );
    return differ(compared.map(plain)) || (compared.some(isNone) && !compared.every(isNone));
  });
  return { group: 'durability', setting: isolationSetting, matters: 'isolation', values, differs };
}

/**
 * The isolation of a target's sessions that request a level; for `default`, the value that the server reports. Null if
 * unknown.
 */
function has({ fingerprint, descriptor }: TargetRecord, level: Isolation): string | null {
  const word = descriptor.isolations?.[level];
  if (level === 'default' || word === undefined || descriptor.reference) {
    const settings = groups.flatMap((group) => Object.entries(fingerprint?.[group] ?? {}));
    return settings.find(([setting]) => isIsolation(setting))?.[1] ?? null;
  }
  const title = isolationTitle(trueIsolation(descriptor, level));
  return word.toLowerCase() === title ? title : `${title} (${word})`;
}

/**
 * The levels that variants request instead of the sessions' default; if some variants keep the default, it comes last.
 */
function inWords(levels: ReadonlyMap<Isolation, string | null>): string | null {
  const { default: begins, ...asked } = Object.fromEntries(levels);
  const words = [...new Set(Object.values(asked))].join(', ');
  if (words === '') return begins ?? null;
  return levels.has('default') ? `${begins ?? 'the server’s'}; by variants ${words}` : words;
}

/** DB2's names, as JDBC understands them. */
const db2Levels: Readonly<Record<string, string>> = {
  ur: 'read uncommitted',
  cs: 'read committed',
  rs: 'repeatable read',
  rr: 'serializable',
};

/** "READ-COMMITTED" and "read committed" are the same; text in brackets or after a colon only explains. */
const plain = (isolation: string | null): string | null => {
  if (isolation === null) return null;
  const level = isolation
    .toLowerCase()
    .replace(/[;:(].*$/s, '')
    .replaceAll(/[-_\s]+/g, ' ')
    .trim();
  return db2Levels[level] ?? level;
};

const mediumWords: Readonly<Record<Medium, string>> = { disk: 'on disk', memory: 'in memory' };

/** The medium of the stored bytes that Dyno counted for a row; only if some are not on a disk. */
export function storedRow({ targets, cells }: Pick<Facts, 'targets' | 'cells'>): ComparedSetting | null {
  const values = targets.map(({ name }) => {
    const own = cells.flatMap(({ target, storedBytesPerRow }) =>
      target === name && storedBytesPerRow ? [storedBytesPerRow.medium] : [],
    );
    const media = (['disk', 'memory'] as const).filter((medium) => own.includes(medium));
    return media.length === 0 ? null : media.map((medium) => mediumWords[medium]).join(' and ');
  });
  if (values.every((value) => value === null || value === mediumWords.disk)) return null;
  return { group: 'memory', setting: 'stored rows are counted', matters: 'medium', values, differs: differ(values) };
}
