import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { EngineOption } from '#engine-api/option.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { OptionValue } from '#model/settings/options.ts';
import { createStore } from '../../state/store.ts';
import type { NumberEntry } from '../../ui/controls/number-field.tsx';

/** True while the dialog “Compare a change” is open. */
export const compareChangeOpen = createStore(false);
export const compareChange = (): void => compareChangeOpen.set(true);

/** The kinds of changes that the dialog offers, with their names. */
export const changeKinds = {
  text: 'The SQL',
  index: 'An index',
  fillFactor: 'The fill factor of the tables',
  option: 'An option of the engine',
  session: 'A setting of the session',
  parameter: 'A parameter of the server',
  version: 'The version of the server',
} as const;
export type ChangeKind = keyof typeof changeKinds;

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** The change as typed. */
export interface TypedChange {
  readonly kind: ChangeKind;
  /** The statement that a single changed text replaces; null: the first of its kind. */
  readonly statement: string | null;
  readonly index: { readonly table: string | null; readonly columns: string; readonly include: string };
  readonly fillFactor: NumberEntry;
  /** An option of the chosen engine by its short name; null: none is chosen. */
  readonly option: { readonly name: string | null; readonly value: string };
  readonly session: NamedValue;
  readonly parameter: NamedValue;
  /** The target with the other version. */
  readonly version: string | null;
}

export const noChange: TypedChange = {
  ...{ kind: 'text', statement: null, index: { table: null, columns: '', include: '' }, fillFactor: 80 },
  ...{ option: { name: null, value: '' }, session: { name: '', value: '' }, parameter: { name: '', value: '' } },
  version: null,
};

interface Typed {
  readonly before: string;
  /** The changed SQL. */
  readonly after: string;
  readonly change: TypedChange;
}

export const nothingTyped: Typed = { before: '', after: '', change: noChange };
/** The texts and the change in the dialog. They stay when the dialog is closed, until they become an experiment. */
export const typedParts = createStore<Typed>(nothingTyped);

/** The name of the level that leaves the file as it is. */
const asItIs = 'as it is';
const factor = 'change';
/** Draws of the parameters for which the answers have to be equal. */
const draws = 100;

type Mapping = Readonly<Record<string, unknown>>;

/** A level of the experiment with its name, or what the user still has to do. */
type Level = { readonly name: string; readonly level: Mapping } | { readonly lacks: string };

const statementsOf = (text: string): readonly (readonly [string, Mapping])[] => {
  const { value } = readYaml(text);
  const all = isMapping(value) && isMapping(value.statements) ? value.statements : {};
  return Object.entries(all).flatMap(([name, one]) => (isMapping(one) ? [[name, one] as const] : []));
};

const tablesOf = (text: string): Mapping => {
  const { value } = readYaml(text);
  return isMapping(value) && isMapping(value.tables) ? value.tables : {};
};

const indexesOf = (table: unknown): readonly unknown[] =>
  isMapping(table) && Array.isArray(table.indexes) ? table.indexes : [];

const firstWord = ({ text }: Mapping): string => (/[a-z]+/i.exec(String(text))?.[0] ?? '').toLowerCase();

/**
 * The level with other texts, and with the indexes that the changed SQL creates. `before`: the experiment of the SQL
 * as it is. `both`: that of the SQL as it is with the changed SQL behind it, which is read with the same tables; null
 * while it is read.
 */
function textLevel({ before, both, makesTables, change }: Parts): Level {
  if (both === null) return { lacks: 'Paste or open the changed SQL.' };
  const own = statementsOf(before);
  const changed = statementsOf(both).slice(own.length);
  if (makesTables)
    return {
      lacks:
        'The changed SQL has CREATE TABLE, but both versions use the tables of the SQL as it is: leave it out, or move it there.',
    };
  const indexes = changedIndexes(before, both);
  if (changed.length === 0)
    return indexes === null ? { lacks: 'The changed SQL has no statement.' } : { name: 'changed', level: indexes };
  const single = own.length > 1 && changed.length === 1 ? replaced(own, changed[0]![1], change.statement) : null;
  if (single === null && changed.length !== own.length)
    return {
      lacks: `The changed SQL has ${changed.length} statements, and the SQL as it is has ${own.length}. Paste all of them, or the one that changes.`,
    };
  const pairs =
    single === null
      ? own.map(([name, old], i) => [name, old, changed[i]![1]] as const)
      : [[...single, changed[0]![1]] as const];
  const differing = pairs.filter(([, old, now]) => old.text !== now.text);
  if (differing.length === 0)
    return indexes === null ? { lacks: 'The changed SQL is the SQL as it is.' } : { name: 'changed', level: indexes };
  const level = differing.map(([name, { parameters: old }, { text, parameters }]) => [
    name,
    { text, ...(JSON.stringify(old) !== JSON.stringify(parameters) && parameters !== undefined && { parameters }) },
  ]);
  return { name: 'changed', level: { ...indexes, statements: Object.fromEntries(level) } };
}

/** The part of a level with the indexes that `both` has besides those of `before`; null: it has no other index. */
function changedIndexes(before: string, both: string): Mapping | null {
  const own = tablesOf(before);
  const tables = Object.entries(tablesOf(both)).flatMap(([name, table]) => {
    const indexes = indexesOf(table);
    const isOther = Object.hasOwn(own, name) && JSON.stringify(indexes) !== JSON.stringify(indexesOf(own[name]));
    return isOther ? [[name, { indexes }] as const] : [];
  });
  return tables.length === 0 ? null : { tables: Object.fromEntries(tables), ...builtOver };
}

/** Built over the rows, so that the run shows the time to build an index. */
const builtOver = { indexCreation: 'afterLoad' } as const;

function replaced(own: ReturnType<typeof statementsOf>, changed: Mapping, chosen: string | null) {
  return (
    own.find(([name]) => name === chosen) ?? own.find(([, one]) => firstWord(one) === firstWord(changed)) ?? own[0]!
  );
}

const noTable = 'Dyno changes only tables that it has made: paste CREATE TABLE above the statements.';

const namesIn = (typed: string): readonly string[] => typed.split(/[\s,;]+/).filter((name) => name !== '');

function indexLevel(before: string, { index }: TypedChange): Level {
  const tables = tablesOf(before);
  const [first] = Object.keys(tables);
  if (first === undefined) return { lacks: noTable };
  const table = index.table !== null && Object.hasOwn(tables, index.table) ? index.table : first;
  const [columns, include] = [namesIn(index.columns), namesIn(index.include)];
  if (columns.length === 0) return { lacks: 'Enter the columns of the index.' };
  const own = indexesOf(tables[table]);
  const added = { columns, ...(include.length > 0 && { include }) };
  return {
    name: `index on ${columns.join(', ')}`,
    level: { tables: { [table]: { indexes: [...own, added] } }, ...builtOver },
  };
}

function fillFactorLevel(before: string, { fillFactor }: TypedChange): Level {
  if (Object.keys(tablesOf(before)).length === 0) return { lacks: noTable };
  if (typeof fillFactor !== 'number') return { lacks: 'Enter the fill factor.' };
  return { name: `fill factor ${fillFactor} %`, level: { fillFactor } };
}

/** The value of an option with the type that the engine's descriptor gives it; null: it is no such value. */
function optionValue({ defaultValue }: EngineOption, typed: string): OptionValue | null {
  if (typeof defaultValue === 'boolean') return typed === 'true';
  if (typeof defaultValue === 'string') return typed;
  return Number.isFinite(Number(typed)) ? Number(typed) : null;
}

function optionLevel({ id, label, options = [] }: EngineParts, { option: { name, value } }: TypedChange): Level {
  if (options.length === 0) return { lacks: `${label} has no options of its own.` };
  const option = options.find((one) => one.name === name);
  const own = value.trim();
  if (option === undefined || own === '') return { lacks: 'Choose the option and its value.' };
  const typed = optionValue(option, own);
  if (typed === null) return { lacks: `${option.label} is a number.` };
  return { name: `${option.label} ${own}`, level: { options: { [`${id}.${option.name}`]: typed } } };
}

/** A level with a value of `session` or `server`. */
function namedLevel(section: 'session' | 'server', { name, value }: NamedValue, { id }: EngineParts): Level {
  const [setting, own] = [name.trim(), value.trim()];
  if (setting === '' || own === '')
    return { lacks: `Enter the name and the value of the ${section === 'session' ? 'setting' : 'parameter'}.` };
  return { name: `${setting} ${own}`, level: { [section]: { [id]: { [setting]: own } } } };
}

function parameterLevel(engine: EngineParts, { parameter }: TypedChange): Level {
  if (engine.serverParameters === undefined) return { lacks: `Dyno sets no parameters of ${engine.label}.` };
  return namedLevel('server', parameter, engine);
}

/** The parts of an engine that decide what can change. */
type EngineParts = Pick<EngineDescriptor, 'id' | 'label' | 'options' | 'serverParameters'>;

interface Parts {
  /** The experiment of the SQL as it is, with its load. */
  readonly before: string;
  /** The experiment of both texts; null: there is none, or it is being read. */
  readonly both: string | null;
  /** True if the changed SQL creates tables. */
  readonly makesTables: boolean;
  readonly target: string;
  readonly engine: EngineParts;
  readonly change: TypedChange;
}

/** The experiment that compares the change with the file as it is, or what the user still has to do. */
export function changeFile(parts: Parts): {
  readonly text: string | null;
  readonly lacks: string | null;
} {
  const { before, target, engine, change } = parts;
  const made = (values: readonly (readonly [readonly string[], unknown])[]) => ({
    text: values.reduce((file, [path, value]) => setIn(file, path, value), readYaml(before)).text,
    lacks: null,
  });
  if (change.kind === 'version')
    return change.version === null
      ? { text: null, lacks: 'Choose the other version.' }
      : made([
          [['name'], 'Another version'],
          [['question'], `Is ${change.version} faster than ${target}?`],
          [['targets'], [target, change.version]],
          [['baseline'], { target }],
          [['compare'], 'targets'],
          [['equal'], { draws }],
        ]);
  const level = {
    text: () => textLevel(parts),
    index: () => indexLevel(before, change),
    fillFactor: () => fillFactorLevel(before, change),
    option: () => optionLevel(engine, change),
    session: () => namedLevel('session', change.session, engine),
    parameter: () => parameterLevel(engine, change),
  }[change.kind]();
  if ('lacks' in level) return { text: null, lacks: level.lacks };
  return made([
    [['name'], 'A change'],
    [['question'], `Is “${level.name}” faster, and what does it cost?`],
    [['factors'], { [factor]: { [asItIs]: {}, [level.name]: level.level } }],
    [['baseline'], { [factor]: asItIs }],
    [['compare'], 'levels'],
    [['equal'], { draws }],
  ]);
}
