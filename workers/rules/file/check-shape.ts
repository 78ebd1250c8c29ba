import * as v from 'valibot';
import { experimentSchema } from '#experiment/schema/experiment.ts';
import { formatCount } from '#model/format/format.ts';
import { isMapping } from '#model/is-mapping.ts';
import { optionName } from '#model/settings/options.ts';
import { type Shape, valueShape } from '#model/shape.ts';
import type { Fix, Problem } from '#model/text/diagnostic.ts';
import { EndOfCheck } from '#model/text/first-problems.ts';
import { meantWord, nearestWord } from '#model/text/nearest-word.ts';
import { formatPath, type Path } from '#model/text/path-text.ts';
import { leafIssueText } from './leaf-issue-text.ts';

/** Receives each problem of a check. */
export type Report = (problem: Problem) => void;

/**
 * Checks a value against a schema and reports every problem, where valibot alone stops at the first unknown key and
 * answers for a union with "invalid type". Valibot checks the leaves, so that the schema is the only source of the
 * rules. `above`: the mapping that contains the value. A list or mapping with too many entries ends the check with
 * EndOfCheck after its report, because the cost of all further rules grows with them.
 */
export function checkShape(schema: Shape, value: unknown, path: Path, report: Report, above?: Shape): void {
  switch (schema.type) {
    case 'optional':
      if (value !== undefined && schema.wrapped) checkShape(schema.wrapped, value, path, report, above);
      return;
    case 'strict_object':
    case 'loose_object':
      checkObject(schema, value, path, report, above);
      return;
    case 'record':
      checkRecord(schema, value, path, report);
      return;
    case 'array':
      if (!Array.isArray(value)) {
        wrongKind('a list', value, path, report);
        return;
      }
      checkSize(schema, value, path, report);
      for (const [index, item] of value.entries())
        if (schema.item) checkShape(schema.item, item, [...path, index], report);
      return;
    case 'union':
      checkUnion(schema, value, path, report, above);
      return;
    case 'variant':
      checkVariant(schema, value, path, report);
      return;
    case 'lazy':
      if (schema.getter) checkShape(schema.getter(), value, path, report);
      return;
    default:
      checkLeaf(schema, value, path, report);
  }
}

function checkObject(schema: Shape, value: unknown, path: Path, report: Report, above?: Shape): void {
  if (!isMapping(value)) {
    wrongKind('keys with values', value, path, report, helpOf(schema));
    return;
  }
  const entries = schema.entries ?? {};
  const missing = Object.keys(entries).filter((key) => !(key in value) && entries[key]?.type !== 'optional');
  const unknown =
    schema.type === 'strict_object' ? Object.keys(value).filter((key) => !Object.hasOwn(entries, key)) : [];
  const place = path.length === 0 ? 'an experiment' : `\`${formatPath(path)}\``;
  for (const key of unknown) {
    const candidates = Object.keys(entries).filter((candidate) => !(candidate in value));
    const own = { path: [...path, key], at: 'key' } as const;
    const elsewhere = judgesAlike(key, path) ?? elsewhereText(key, path, above, entries);
    report({
      ...own,
      message: `Unknown key \`${key}\` in ${place}.`,
      ...(optionBelongs(key, path, value) ??
        (elsewhere === null
          ? meantWord(own, key, candidates, `Known here: ${Object.keys(entries).join(', ')}.`)
          : { suggestion: elsewhere })),
    });
  }
  if (unknown.length === 0 && isForeignTable(path, value)) {
    report({
      path: [...path, 'columns'],
      at: 'key',
      message: `${place} has no columns, so that Dyno cannot make this table.`,
      suggestion:
        'Dyno makes indexes on tables that it makes itself, and changes no table of yours. Describe a table like yours with rows and columns, and name it as {table} in the statements.',
    });
    return;
  }
  for (const key of missing) {
    // A mistyped key is one error, not two.
    if (unknown.some((written) => nearestWord(written, missing) === key)) continue;
    report({
      path: [...path, key],
      at: 'key',
      message: `The key \`${key}\` is missing in ${place}.`,
      suggestion: helpOf(entries[key]),
    });
  }
  for (const [key, entry] of Object.entries(entries))
    if (Object.hasOwn(value, key)) checkShape(entry, value[key], [...path, key], report, schema);
}

/** True for a table that has indexes and no columns, as if the server had the table already. */
const isForeignTable = ([section, , ...below]: Path, value: Readonly<Record<string, unknown>>): boolean =>
  section === 'tables' && below.length === 0 && 'indexes' in value && !('columns' in value);

const sections = Object.keys(experimentSchema.entries);

/**
 * The place of an engine's option (engine.option) that stands in another mapping, and the fix that moves it there. Null
 * for other keys. A path with a dot, such as dataset.rows, has the form of an option.
 */
function optionBelongs(
  key: string,
  path: Path,
  value: Readonly<Record<string, unknown>>,
): Pick<Problem, 'suggestion' | 'fix'> | null {
  if (!v.is(optionName, key) || sections.includes(key.split('.')[0]!)) return null;
  const owner = ownerOfOptions(path);
  const options = [...owner, 'options'];
  const suggestion = `Options of engines belong into \`${formatPath(options)}\`.`;
  const held = value.options;
  const isFree = held === undefined || (isMapping(held) && !Object.hasOwn(held, key));
  if (formatPath(owner) !== formatPath(path) || !isFree) return { suggestion };
  const fixes: readonly Fix[] = [
    { kind: 'set', path: [...options, key], value: value[key] },
    { kind: 'set', path: [...path, key], value: undefined },
  ];
  return { suggestion, fix: { kind: 'several', fixes } };
}

/** The mapping whose options count for a place of the file: the level or the workload. */
function ownerOfOptions(path: Path): Path {
  const at = path[0] === 'sizes' ? 2 : 0;
  return path[at] === 'factors' && path.length >= at + 3 ? path.slice(0, at + 3) : [...path.slice(0, at), 'workload'];
}

/** One run has one judgement: levels that were judged by other goals could not be compared. */
const judgesAlike = (key: string, path: Path): string | null =>
  path.includes('factors') && (key === 'goals' || key === 'judge')
    ? `All levels are judged alike, so that they can be compared: \`${key}\` stands once, at the top of the file or in a size.`
    : null;

const elsewhereText = (
  key: string,
  path: Path,
  above: Shape | undefined,
  entries: Readonly<Record<string, Shape>>,
): string | null =>
  Object.hasOwn(above?.entries ?? {}, key)
    ? `It belongs beside \`${String(path.at(-1))}\`, not into it.`
    : belongsBelow(key, entries);

function belongsBelow(key: string, entries: Readonly<Record<string, Shape>>): string | null {
  const place = Object.entries(entries).find(([, entry]) => Object.hasOwn(valueShape(entry).entries ?? {}, key));
  return place ? `It belongs into \`${place[0]}\`.` : null;
}

function checkRecord(schema: Shape, value: unknown, path: Path, report: Report): void {
  if (!isMapping(value)) {
    wrongKind('keys with values', value, path, report);
    return;
  }
  checkSize(schema, value, path, report);
  for (const [key, item] of Object.entries(value)) {
    if (schema.key) checkLeaf(schema.key, key, [...path, key], report, 'key');
    if (schema.value) checkShape(schema.value, item, [...path, key], report);
  }
}

/** Chooses the option for this kind of value: list, mapping (the one with most of its keys), or single value. */
function checkUnion(schema: Shape, value: unknown, path: Path, report: Report, above?: Shape): void {
  const options = (schema.options ?? []).filter((option): option is Shape => typeof option === 'object');
  const kindOf = (type: string) => (type === 'array' ? 'list' : /object|record/.test(type) ? 'mapping' : 'value');
  const kind = Array.isArray(value) ? 'list' : isMapping(value) ? 'mapping' : 'value';
  const fitting = options.filter((option) => kindOf(option.type) === kind);
  const only = isMapping(value) ? withMostKeys(fitting, value) : fitting.length === 1 ? fitting[0] : undefined;
  if (only) {
    checkShape(only, value, path, report, above);
    return;
  }
  const own = fitting.find((option) => (option.type === 'picklist' ? 'string' : option.type) === typeof value);
  if (own) {
    checkLeaf(own, value, path, report);
    return;
  }
  const words = { list: 'a list', mapping: 'keys with values', value: 'a single value' };
  wrongKind([...new Set(options.map((option) => words[kindOf(option.type)]))].join(' or '), value, path, report);
}

function withMostKeys(options: readonly Shape[], value: Readonly<Record<string, unknown>>): Shape | undefined {
  const keys = Object.keys(value);
  const shared = options.map(({ entries = {} }) => keys.filter((key) => Object.hasOwn(entries, key)).length);
  return options[shared.indexOf(Math.max(...shared))];
}

function checkVariant(schema: Shape, value: unknown, path: Path, report: Report): void {
  if (!isMapping(value)) {
    wrongKind('keys with values', value, path, report);
    return;
  }
  const options = (schema.options ?? []).filter((option): option is Shape => typeof option === 'object');
  const known = options.map((option) => String(option.entries?.type?.literal));
  const chosen = options[known.indexOf(String(value.type))];
  if (chosen) {
    checkObject(chosen, value, path, report);
    return;
  }
  const given = 'type' in value ? String(value.type) : '';
  const message = given === '' ? `\`${formatPath(path)}\` has no type.` : `Unknown type \`${given}\`.`;
  const own = { path: [...path, 'type'] };
  report({ ...own, message, ...meantWord(own, given, known, `Known types: ${known.join(', ')}.`) });
}

/** Checks the number of entries of a list or mapping. */
function checkSize(schema: Shape, value: object, path: Path, report: Report): void {
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  const limit = (...types: readonly string[]) =>
    (schema.pipe ?? []).find(({ type }) => types.includes(type))?.requirement;
  const least = limit('min_length', 'min_entries');
  const most = limit('max_length', 'max_entries');
  if (typeof most === 'number' && size > most) {
    report({
      path,
      at: 'key',
      message: `\`${formatPath(path)}\` has ${formatCount(size)} entries; ${formatCount(most)} are the most.`,
      suggestion: null,
    });
    throw new EndOfCheck();
  }
  if (typeof least === 'number' && size < least)
    report({
      path,
      message: `\`${formatPath(path)}\` is empty; it needs at least one entry.`,
      suggestion: helpOf(schema),
    });
}

/** Checks a single value with valibot. */
export function checkLeaf(schema: Shape, value: unknown, path: Path, report: Report, at: 'key' | 'value' = 'value') {
  if (value === null) {
    wrongKind('a value', value, path, report);
    return;
  }
  const result = v.safeParse(schema as unknown as v.GenericSchema, value, { abortPipeEarly: true });
  if (result.success) return;
  const { meant, ...words } = leafIssueText(
    result.issues[0],
    value,
    helpOf(schema),
    String(path.findLast((step) => typeof step === 'string') ?? ''),
  );
  const fix: Fix | undefined = meant === undefined || at === 'key' ? undefined : { kind: 'set', path, value: meant };
  report({ path, at, ...words, fix });
}

function wrongKind(expected: string, value: unknown, path: Path, report: Report, help: string | null = null): void {
  if (value === null || value === undefined) {
    const message = path.length === 0 ? 'The file is empty.' : `\`${formatPath(path)}\` has no value.`;
    const suggestion =
      path.length === 0
        ? 'Start from one of the gallery, or with the line `dyno: 1`.'
        : typeof path.at(-1) === 'number'
          ? 'A name that is the word null needs quotes: "null".'
          : 'Write one, or remove the line.';
    report({ path, at: 'key', message, suggestion });
    return;
  }
  const found = Array.isArray(value)
    ? 'a list'
    : typeof value === 'object'
      ? 'keys with values'
      : `\`${String(value).slice(0, 60)}\``;
  const place = path.length === 0 ? 'An experiment' : `\`${formatPath(path)}\``;
  report({
    path,
    message: `${place} must be ${expected}, not ${found}.`,
    suggestion: help,
  });
}

/** The schema's own description, as help for a missing or wrong value. */
function helpOf(schema: Shape | undefined): string | null {
  if (schema?.type === 'literal') return `Write ${String(schema.literal)}.`;
  return (schema && v.getDescription(valueShape(schema) as unknown as v.GenericSchema)) ?? null;
}
