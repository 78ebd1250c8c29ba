import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';

/** The part of JSON Schema that an experiment's schema uses. */
interface Schema {
  readonly description?: string;
  readonly title?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** All schemas that a schema allows, with unions and references resolved. */
function shapes(schema: Schema, root: Schema): readonly Schema[] {
  if (schema.$ref) {
    const target = root.definitions?.[schema.$ref.replace('#/definitions/', '')];
    return target ? shapes(target, root) : [];
  }
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return parts.length === 0 ? [schema] : [schema, ...parts.flatMap((part) => shapes(part, root))];
}

function below(schemas: readonly Schema[], key: string, root: Schema): readonly Schema[] {
  return schemas.flatMap((schema) => {
    if (key === '-') return schema.items ? shapes(schema.items, root) : [];
    const next = schema.properties?.[unquoted(key)] ?? schema.additionalProperties;
    return typeof next === 'object' ? shapes(next, root) : [];
  });
}

const unquoted = (key: string): string => key.replaceAll(/["']/g, '');

/** Keys above a line, by indentation; list items count as '-'. For flow collections within the line see flowAt. */
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
  /** Keys from the line's own key to the innermost open bracket; list items count as '-'. */
  readonly path: readonly string[];
  /** Text after the last comma or bracket. */
  readonly rest: string;
}

/** Position of a text's end within the flow collections (`{ … }`, `[ … ]`) that begin in it; null outside of them. */
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

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function valuesOf(schemas: readonly Schema[]): readonly Completion[] {
  const values = schemas.flatMap((s) => [...(s.enum ?? []), ...(s.const === undefined ? [] : [s.const])]);
  return [...new Set(values.map(toText))].map((label) => ({ label, type: 'enum' }));
}

function keysOf(schemas: readonly Schema[]): readonly Completion[] {
  const keys = new Map<string, Completion>();
  for (const schema of schemas)
    for (const [label, property] of Object.entries(schema.properties ?? {}))
      if (!keys.has(label))
        keys.set(label, {
          label,
          apply: `${label}: `,
          type: 'property',
          ...(property.description ? { info: property.description } : {}),
        });
  return [...keys.values()];
}

/** Completes keys and fixed values of the experiment file from its JSON Schema. */
export function schemaCompletion(jsonSchema: unknown): CompletionSource {
  const root = (typeof jsonSchema === 'object' && jsonSchema !== null ? jsonSchema : {}) as Schema;
  return (context: CompletionContext): CompletionResult | null => {
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
    const within = [...pathAt(lines, line.number - 1, indent), ...(flow?.path ?? [])].reduce<readonly Schema[]>(
      (schemas, key) => below(schemas, key, root),
      shapes(root, root),
    );
    const key = /^\s*(?:- +)*([^\s:#][^:]*):\s+[\w-]*$/.exec(part)?.[1];
    const bare = /^\s*(?:- +)*[\w-]*$/.test(part);
    const options = key
      ? valuesOf(below(within, key, root))
      : !bare
        ? []
        : flow?.path.at(-1) === '-'
          ? valuesOf(within)
          : keysOf(within);
    return options.length > 0 ? { from, options } : null;
  };
}
