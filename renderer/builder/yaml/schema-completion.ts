import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import * as v from 'valibot';
import { experimentSchema, factorSchema } from '#experiment/schema/experiment.ts';
import { settingNames, settingSchemas } from '#model/settings/settings.ts';
import { alternatives, type Shape, shapeOf, stepInto, valueShape } from '#model/shape.ts';

/** The factors, of which those that are named like a setting have its levels. */
const factors: Shape = {
  type: 'record',
  value: shapeOf(factorSchema),
  entries: Object.fromEntries(
    settingNames.map((name) => {
      const level = shapeOf(settingSchemas[name]);
      const options = [{ type: 'array', item: level }, ...alternatives(shapeOf(factorSchema))];
      return [name, { type: 'union', options, pipe: level.pipe ?? [] }];
    }),
  ),
};
const file: Shape = { type: 'strict_object', entries: { ...shapeOf(experimentSchema).entries, factors } };

const below = (shapes: readonly Shape[], key: string): readonly Shape[] =>
  stepInto(shapes, key === '-' ? 0 : unquoted(key));

const unquoted = (key: string): string => key.replaceAll(/["']/g, '');

/** Returns the keys above a line by indentation. List items count as '-'. For flow collections see flowAt. */
export function pathAt(lines: readonly string[], index: number, indent: number): readonly string[] {
  const path: string[] = [];
  let limit = indent;
  for (let i = index - 1; i >= 0 && limit > 0; i--) {
    const match = /^(\s*)((?:- +)*)(?:("[^"]*"|[^\s#:][^:]*):)?/.exec(lines[i] ?? '');
    const spaces = match?.[1]?.length ?? 0;
    const key = match?.[3];
    if (!key || spaces >= limit) continue;
    if (match?.[2] && spaces + match[2].length < limit) path.unshift('-', key);
    else if (match?.[2]) path.unshift('-');
    else path.unshift(unquoted(key));
    limit = spaces;
  }
  return path;
}

interface Flow {
  /** The keys from the key of the line to the innermost open bracket. List items count as '-'. */
  readonly path: readonly string[];
  /** The text after the last comma or bracket. */
  readonly rest: string;
}

/**
 * Returns the position of a text's end within the flow collections (`{ … }`, `[ … ]`) that begin in it. Null outside of
 * them.
 */
export function flowAt(before: string): Flow | null {
  const open: { readonly key: string | null; readonly list: boolean }[] = [];
  let from = 0;
  for (const { 0: mark, index } of before.matchAll(/"[^"]*"|'[^']*'|[{}[\],]/g)) {
    if (mark === '{' || mark === '[') {
      const key = /^\s*(?:- +)*(.*?)\s*:\s*$/.exec(before.slice(from, index))?.[1] ?? null;
      open.push({ key, list: mark === '[' });
    } else if (mark === '}' || mark === ']') open.pop();
    else if (mark !== ',' || open.length === 0) continue; // quoted text, or a comma within a plain key
    from = index + 1;
  }
  if (open.length === 0) return null;
  const path = open.flatMap(({ key, list }) => [...(key === null ? [] : [key]), ...(list ? ['-'] : [])]);
  return { path, rest: before.slice(from) };
}

function valuesOf(shapes: readonly Shape[]): readonly Completion[] {
  const values = shapes
    .flatMap(alternatives)
    .flatMap(({ type, options = [], literal }): readonly unknown[] =>
      type === 'literal' ? [literal] : type === 'picklist' ? options : [],
    );
  return [...new Set(values.map(String))].map((label) => ({ label, type: 'enum' }));
}

function keysOf(shapes: readonly Shape[]): readonly Completion[] {
  const entries = shapes.flatMap(alternatives).flatMap((shape) => Object.entries(shape.entries ?? {}));
  // The first of several keys with one name counts.
  return [...new Map(entries.toReversed())].toReversed().map(([label, shape]) => {
    const info = v.getDescription(valueShape(shape) as unknown as v.GenericSchema);
    return { label, apply: `${label}: `, type: 'property', ...(info !== undefined && { info }) };
  });
}

/** Completes keys and fixed values of the experiment file from the records of its keys. */
export function completeKeys(context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  if (before.includes('#')) return null;
  const word = /[\w-]*$/.exec(before)?.[0] ?? '';
  if (!context.explicit && word === '') return null;
  const from = context.pos - word.length;

  const lines = context.state.doc.toString().split('\n');
  const flow = flowAt(before);
  const part = flow?.rest ?? before;
  const indent = /^\s*/.exec(line.text)?.[0].length ?? 0;
  const path = [...pathAt(lines, line.number - 1, indent), ...(flow?.path ?? [])];
  const within = path.reduce(below, [file] as readonly Shape[]);
  const key = /^\s*(?:- +)*([^\s:#][^:]*):\s+[\w-]*$/.exec(part)?.[1];
  const bare = /^\s*(?:- +)*[\w-]*$/.test(part);
  const options = key
    ? valuesOf(below(within, key))
    : !bare
      ? []
      : flow?.path.at(-1) === '-'
        ? valuesOf(within)
        : keysOf(within);
  return options.length > 0 ? { from, options } : null;
}
