import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Connection } from '#model/connections.ts';
import { isRecord, listAt, type Raw } from '../draft/raw-experiment.ts';
import type { FormField } from './form-field.ts';
import { settingField } from './setting-fields.ts';

/** The fields of an engine's own options, from its descriptor. Their names are `engine.option`, as in the file. */
export const optionFields = ({ id, label, options }: EngineDescriptor): readonly FormField[] =>
  (options ?? []).map(({ name, label: title, help, choices, min, max, defaultValue }) => ({
    name: `${id}.${name}`,
    label: title,
    title: `${label}: ${title}`,
    description: help,
    kind: choices
      ? 'choice'
      : typeof defaultValue === 'string'
        ? 'text'
        : typeof defaultValue === 'number'
          ? 'number'
          : 'choice',
    options: choices ?? (typeof defaultValue === 'boolean' ? ['true', 'false'] : []),
    isBoolean: typeof defaultValue === 'boolean',
    // Options with bounds are whole numbers.
    numbers: { whole: true, min: min ?? 0, max: max ?? Number.MAX_SAFE_INTEGER },
    defaultValue: String(defaultValue),
    hasDefault: true,
    required: false,
  }));

/** The field of a setting or engine option. */
export const settingFieldOf = (name: string, engines: readonly EngineDescriptor[]): FormField | undefined =>
  settingField(name) ?? engines.flatMap(optionFields).find((field) => field.name === name);

/** The engines of an experiment's targets: built-in targets, connections, and targets described in the file. */
export function enginesIn(
  raw: Raw,
  engines: readonly EngineDescriptor[],
  connections: readonly Pick<Connection, 'name' | 'engine'>[],
): readonly EngineDescriptor[] {
  const targets = listAt(raw, ['targets']);
  const ids = targets.map((target) =>
    isRecord(target)
      ? target.engine
      : (engines.find(({ builtIn }) => builtIn.some((one) => one.target === target))?.id ??
        connections.find(({ name }) => name === target)?.engine),
  );
  return engines.filter(({ id }) => ids.includes(id));
}
