import { isContender } from '#planning/rates/contenders.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { type ComparedSetting, comparedServerSettings, type Matters, mattersInOrder } from './server-settings.ts';
import { setupRows } from './setup-rows.ts';

type Facts = Pick<RunModel, 'plan' | 'targets' | 'trials' | 'cells'>;

interface Unlike {
  readonly setting: string;
  readonly matters: Matters;
  /** "PostgreSQL on; SQLite off". */
  readonly words: string;
}

/** The settings that show if a run's compared targets do the same work under the same guarantees. */
interface ComparedSettings {
  readonly contenders: readonly string[];
  readonly unlike: readonly Unlike[];
  /** The settings that could not be compared, as sentences. */
  readonly unknown: readonly string[];
}

/**
 * All settings of the targets side by side: the setup, then the servers' settings; values are in the order of
 * model.targets.
 */
export const comparedSettingsTable = (model: Facts): readonly ComparedSetting[] => [
  ...setupRows(model),
  ...comparedServerSettings(model),
];

export function comparedSettings(model: Facts): ComparedSettings {
  const targets = model.targets.filter(({ name }) => isContender(model, name));
  const contenders = targets.map(({ name }) => name);
  if (targets.length < 2) return { contenders, unlike: [], unknown: [] };
  const rows = comparedSettingsTable({ ...model, targets });
  const unlike = rows
    .filter(({ differs }) => differs)
    .map(
      (row): Unlike => ({
        setting: row.setting,
        matters: row.matters,
        words: targets.flatMap(({ name }, i) => (row.values[i] == null ? [] : [`${name} ${row.values[i]}`])).join('; '),
      }),
    );
  const engines = new Set(targets.map(({ engine }) => engine));
  const promises = targets.filter(({ fingerprint }) => Object.keys(fingerprint?.durability ?? {}).length > 0);
  return {
    contenders,
    unlike: unlike.toSorted((a, b) => mattersInOrder.indexOf(a.matters) - mattersInOrder.indexOf(b.matters)),
    unknown:
      engines.size < 2
        ? []
        : [
            promises.length < targets.length
              ? 'Not every server reports how durable its commits are.'
              : 'These engines promise durability by settings of their own, which a reader has to compare.',
          ],
  };
}

const mattersWords: Readonly<Record<Matters, string>> = {
  durability: 'durability',
  isolation: 'isolation',
  medium: 'memory beside disk',
  place: 'where they run',
  transport: 'encryption',
  rows: 'row counts',
  foreignKeys: 'foreign keys',
  memory: 'memory settings',
  other: 'other settings',
};

/**
 * The line under every chart that compares targets: "Settings differ: durability, where they run". Null if no settings
 * differ.
 */
export function unlikeText(model: Facts): string | null {
  const { unlike } = comparedSettings(model);
  const words = new Set(unlike.flatMap(({ matters }) => (countsAlways(matters) ? [mattersWords[matters]] : [])));
  return words.size === 0 ? null : `Settings differ: ${[...words].join(', ')}`;
}

/**
 * The table shows memory sizes and similar settings. The note under every chart names only settings that change the
 * work itself.
 */
export const countsAlways = (matters: Matters): boolean => matters !== 'memory' && matters !== 'other';
