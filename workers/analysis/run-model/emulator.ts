import { isEmulator } from '#planning/rates/contenders.ts';
import type { JournalEntry } from '#protocol/journal.ts';
import type { Plan } from '#protocol/plan.ts';

const mark = ' (emulator)';

/** "oracle (emulator)"; a name that says it already stays. */
export const emulatorName = (name: string): string => (/emulator/i.test(name) ? name : `${name}${mark}`);

/** The name as it is in the experiment. */
export const nameInFile = (name: string): string => (name.endsWith(mark) ? name.slice(0, -mark.length) : name);

/**
 * Changes the names of emulators in the records of one run, from the moment on that a record tells which targets are.
 */
interface EmulatorNames {
  /** The record with the names changed; given every record of the run in its order. */
  read(record: JournalEntry): JournalEntry;
  nameOf(target: string): string;
  /** Renames the target of a value; the same object where nothing is to be changed. */
  onTarget<T extends { readonly target: string }>(value: T): T;
  plan(plan: Plan): Plan;
}

export function createEmulatorNames(): EmulatorNames {
  const names = new Map<string, string>();
  const nameOf = (target: string) => names.get(target) ?? target;
  const onTarget = <T extends { readonly target: string }>(value: T): T =>
    names.has(value.target) ? { ...value, target: nameOf(value.target) } : value;
  const plan = (original: Plan): Plan => {
    const { experiment } = original;
    const baseline = experiment.baseline?.target;
    return {
      ...original,
      experiment: {
        ...experiment,
        targets: experiment.targets.map((target) =>
          typeof target === 'string' ? nameOf(target) : { ...target, name: nameOf(target.name) },
        ),
        ...(baseline !== undefined && {
          baseline: { ...experiment.baseline, target: nameOf(String(baseline)) },
        }),
      },
      targets: original.targets.map((target) => ({ ...target, name: nameOf(target.name) })),
      skipped: original.skipped.map(onTarget),
      trials: original.trials.map(onTarget),
    };
  };
  return {
    nameOf,
    onTarget,
    plan,
    read(record) {
      switch (record.record) {
        case 'target': {
          const { target } = record;
          if (isEmulator(target)) names.set(target.name, emulatorName(target.name));
          return names.has(target.name) ? { ...record, target: { ...target, name: nameOf(target.name) } } : record;
        }
        case 'calibration':
          return {
            ...record,
            entries: record.entries.map((entry) =>
              entry.target !== null && names.has(entry.target)
                ? {
                    ...entry,
                    target: nameOf(entry.target),
                    label: entry.label.replace(entry.target, () => nameOf(entry.target!)),
                  }
                : entry,
            ),
          };
        case 'trial':
          return { ...record, trial: onTarget(record.trial) };
        case 'sessions':
          return onTarget(record);
        case 'result':
          return { ...record, result: onTarget(record.result) };
        case 'enough': {
          const { precision } = record;
          return { ...record, precision: { ...precision, cells: precision.cells.map(onTarget) } };
        }
        case 'header':
          return { ...record, plan: plan(record.plan) };
        default:
          return record;
      }
    },
  };
}
