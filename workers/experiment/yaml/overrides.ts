import { DynoError } from '#model/error.ts';
import { isMapping } from '#model/is-mapping.ts';
import { numberRules } from '#model/settings/number-rules.ts';
import { settingNames, settingSchemas } from '#model/settings/settings.ts';
import { alternatives, type Shape, shapeOf, stepInto } from '#model/shape.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import { formatPath, type Path, parsePath } from '#model/text/path-text.ts';
import { type NumberRules, readNumber } from '#model/text/read-number.ts';
import { readNumbers } from '#model/text/read-numbers.ts';
import { experimentSchema } from '../schema/experiment.ts';
import { placeInSize } from '../schema/sizes.ts';
import { setIn } from './edit-experiment.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

/**
 * Applies `path=value` assignments (`--set dataset.rows=20000`) to an experiment file, one after the other.
 * Values are YAML: numbers, true/false, `[1, 2, 4]`, `{ type: uuid7 }`; an empty value removes the entry. Lists may
 * omit brackets: `factors.method=bulk,bind`. A value that the chosen size sets is changed within the size. Throws
 * DynoError('badInput') with the nearest valid path.
 */
export function applyOverrides(source: YamlSource, assignments: readonly string[]): YamlSource {
  return assignments.reduce(applyOverride, source);
}

function applyOverride(source: YamlSource, assignment: string): YamlSource {
  const equals = assignment.indexOf('=');
  if (equals < 1)
    throw new DynoError('badInput', `"${assignment}" is not an assignment.`, {
      hint: 'Write path=value, for example dataset.rows=20000.',
    });
  const path = parsePath(assignment.slice(0, equals).trim());
  // setIn reports text that is not YAML, with its position.
  const shapes = source.errors.length > 0 ? [] : checkPath(path, source.value).flatMap(alternatives);
  const written = assignment.slice(equals + 1).trim();
  // Names and questions may contain colons and brackets without additional quotes for the shell.
  const plainText = shapes.length > 0 && shapes.every(({ type }) => type === 'string') && !/^(?:["']|$)/.test(written);
  return setIn(source, placeInSize(source.value, path), plainText ? written : readValue(written, path, shapes));
}

/** The numbers that this place takes, with the unit of its key; null: it takes none. */
function rulesOf(shapes: readonly Shape[], path: Path): NumberRules | null {
  const key = String(path.findLast((step) => typeof step === 'string') ?? '');
  const setting = settingNames.find((name) => name === key);
  // Levels of a factor may be anything by the file's schema; the setting that they vary says which.
  const number = (setting ? [shapeOf(settingSchemas[setting])] : shapes).find(({ type }) => type === 'number');
  if (!number) return null;
  const { unit } = numberRules(key, number);
  // The check of the experiment judges bounds and whole numbers, with their place in the file.
  return { unit: unit === '%' ? 'share' : unit, decimalSign: 'ask' };
}

/** The number that a text means where numbers may be; undefined: it is something else, and YAML reads it. */
function numberIn(written: string, shapes: readonly Shape[], path: Path): number | undefined {
  const rules = rulesOf(shapes, path);
  if (!rules || written === '' || /^["'[{]/.test(written)) return undefined;
  const { value, problem } = readNumber(written, rules);
  if (value !== null) return value;
  // A name may stand there instead: `all`.
  if (shapes.length > 1 && !/\d/.test(written)) return undefined;
  throw unreadable(path, problem ?? '');
}

const unreadable = (path: Path, problem: string): DynoError =>
  new DynoError('badInput', `The value for \`${formatPath(path)}\` is not understood: ${problem}`, {
    hint: 'Write digits, a point before decimals, k or M for thousands and millions, or a unit where the key has one.',
  });

function readValue(written: string, path: Path, shapes: readonly Shape[]): unknown {
  if (written === '') return undefined;
  const lists = shapes.filter(({ type }) => type === 'array');
  const takesList = lists.length > 0;
  const number = takesList ? undefined : numberIn(written, shapes, path);
  if (number !== undefined) return number;
  const items = lists.flatMap(({ item }) => (item ? alternatives(item) : []));
  const rules = rulesOf(items, path);
  if (takesList && rules && !/[{"']/.test(written)) {
    const read = readNumbers(written.replace(/^\[(.*)\]$/s, '$1'), rules);
    if (read.problem !== null) throw unreadable(path, read.problem);
    return read.items;
  }
  const yaml = takesList && !/^[[{]/.test(written) ? `[${written}]` : written;
  const {
    value,
    errors: [first],
  } = readYaml(yaml);
  if (first)
    throw new DynoError('badInput', `The value for \`${formatPath(path)}\` cannot be read: ${first.message}`, {
      hint: 'Values are YAML: 20000, true, bulk, [1, 2, 4], { type: uuid7 }. Quote them for the shell.',
    });
  // No value of an experiment may be null, so `null` is a name here; a file would need quotes around it.
  const named = (one: unknown): unknown => (one === null ? 'null' : one);
  return Array.isArray(value) ? value.map(named) : named(value);
}

/**
 * Follows the path through the schema to the shapes allowed there (empty: only the engine knows the key); names under
 * columns, factors and bundles must exist in the file unless they are the last step.
 */
function checkPath(path: Path, value: unknown): readonly Shape[] {
  let shapes: readonly Shape[] = [shapeOf(experimentSchema)];
  let here: unknown = value;
  for (const [depth, step] of path.entries()) {
    const wrong = (what: string, hint: string): DynoError =>
      new DynoError('badInput', `There is no \`${formatPath(path)}\` in an experiment: ${what}.`, { hint });
    const wanted = typeof step === 'number' ? ['array'] : ['strict_object', 'loose_object', 'record'];
    const fitting = shapes.flatMap(alternatives).filter((shape) => wanted.includes(shape.type));
    const above = formatPath(path.slice(0, depth));
    if (fitting.length === 0 && typeof step === 'number') {
      throw wrong(`\`${above}\` is not a list`, 'Positions in brackets go into lists only: factors.method[0].');
    }
    if (fitting.length === 0)
      throw wrong(
        `there is no \`${String(step)}\` below \`${above}\``,
        shapes.flatMap(alternatives).some(({ type }) => type === 'array')
          ? `\`${above}\` is a list: write ${above}[0].`
          : `Set \`${above}\` itself.`,
      );
    const entries = Object.assign({}, ...fitting.map((shape) => shape.entries ?? {})) as Record<string, Shape>;
    const open = fitting.filter((shape) => shape.type !== 'strict_object');
    const names = isMapping(here) ? Object.keys(here) : [];
    const last = depth === path.length - 1;
    const candidates = [...new Set([...Object.keys(entries), ...(open.length > 0 ? names : [])])];
    const isNew = open.some((shape) => shape.type === 'record') && !last && !names.includes(String(step));
    if (typeof step === 'string' && !Object.hasOwn(entries, step) && (open.length === 0 || isNew)) {
      const meant = candidates.map((key) => formatPath([...path.slice(0, depth), key, ...path.slice(depth + 1)]));
      throw wrong(
        `\`${step}\` is unknown`,
        candidates.length === 0
          ? `There is nothing yet. A name with a dot stands in brackets: ${formatPath([...path.slice(0, depth), path.slice(depth).join('.')])}.`
          : (didYouMean(formatPath(path), meant) ?? `Known here: ${candidates.join(', ')}.`),
      );
    }
    shapes = stepInto(fitting, step);
    if (shapes.length === 0) return [];
    here = Array.isArray(here) ? here[Number(step)] : isMapping(here) ? here[String(step)] : undefined;
  }
  return shapes;
}
