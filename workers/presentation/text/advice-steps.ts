import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { indexTextFor } from '#model/dataset/indexes.ts';
import type { AdviceStep, AdvisedIndex } from '#protocol/advice.ts';

/** The statement or setting with which a user carries out a step of advice, in the language of the engine. */
export function stepText(step: AdviceStep, descriptor: EngineDescriptor): string {
  switch (step.do) {
    case 'createIndex':
      return createText(step.table, step.index, descriptor);
    case 'dropIndex':
      return dropText(step, descriptor);
    case 'set':
      return `SET ${step.name} = ${/^\d+$/.test(step.value) ? step.value : `'${step.value}'`}`;
    case 'setUp':
      return step.text.replaceAll(/\{(\w+)\}/g, '$1');
    case 'replaceText':
      return step.text
        .trim()
        .replaceAll(/\{(\w+)\}/g, '$1')
        .replaceAll(longList, '(:$1, …, :$2)');
  }
}

/** A list of keys, of which the first and the last one say enough. */
const longList = /\(:(\w+)(?:,\s*:\w+){5,},\s*:(\w+)\)/g;

/** Words that name no column without quotes in most dialects. */
const reserved = new Set(
  'order group user table key index value values date time desc asc primary check column from to select where row rows rank limit offset'.split(
    ' ',
  ),
);
/** The longest name of an index that every server takes. */
const longest = 60;

/** A name of Dyno's file in statements, with the quotes of the engine where it is reserved. */
const word = (name: string, descriptor: EngineDescriptor): string =>
  reserved.has(name) ? inQuotes(name, descriptor) : name;

function inQuotes(name: string, { statements }: EngineDescriptor): string {
  const quoting = statements?.quoting ?? [];
  const [open, close] = quoting.includes('backtick') ? '``' : quoting.includes('bracket') ? '[]' : '""';
  return `${open}${name.replaceAll(close!, close!.repeat(2))}${close}`;
}

/** A name that says what the index is of: orders_customer_sold. */
function nameOf(table: string, { name, columns, where }: AdvisedIndex): string {
  const parts = columns.map((part) =>
    typeof part === 'string'
      ? part
      : 'column' in part
        ? [part.column, ...(part.path?.split('.') ?? [])].join('_')
        : String(typeof part.expression === 'string' ? part.expression : 'expression').replaceAll(/\W+/g, '_'),
  );
  return [table, name ?? parts.join('_'), ...(where === undefined ? [] : ['some'])]
    .join('_')
    .replaceAll(/_+/g, '_')
    .replace(/_$/, '')
    .slice(0, longest);
}

/** The fields of an index with their directions, as MongoDB names an index. */
const keyOf = ({ columns }: AdvisedIndex): Readonly<Record<string, number>> =>
  Object.fromEntries(
    columns.map((part) => {
      const { column, path, order } = typeof part === 'object' && 'column' in part ? part : { column: String(part) };
      return [path === undefined ? column : `${column}.${path}`, order === 'desc' ? -1 : 1];
    }),
  );

function dropText(
  { table, index, ownName }: AdviceStep & { readonly do: 'dropIndex' },
  descriptor: EngineDescriptor,
): string {
  const { dropIndex = 'Drop the index {index} of {table}.', statements } = descriptor;
  const name = ownName === undefined ? nameOf(table, index) : inQuotes(ownName, descriptor);
  return dropIndex
    .replace('{index}', () => (statements?.language === 'json' ? JSON.stringify(keyOf(index)) : name))
    .replace('{table}', word(table, descriptor));
}

function createText(table: string, index: AdvisedIndex, descriptor: EngineDescriptor): string {
  const { id, statements } = descriptor;
  const { columns, include, where, unique } = index;
  if (statements?.language === 'json')
    return JSON.stringify({ createIndexes: table, indexes: [{ key: keyOf(index), name: nameOf(table, index) }] });
  const parts = columns.map((part) => {
    if (typeof part === 'string') return word(part, descriptor);
    const text = 'column' in part ? word(part.column, descriptor) : `(${indexTextFor(part.expression, id) ?? ''})`;
    return `${text}${part.order === 'desc' ? ' DESC' : ''}`;
  });
  const condition = where === undefined ? null : indexTextFor(where, id);
  return [
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${nameOf(table, index)} ON ${word(table, descriptor)} (${parts.join(', ')})`,
    ...(include === undefined ? [] : [` INCLUDE (${include.map((name) => word(name, descriptor)).join(', ')})`]),
    ...(condition === null ? [] : [` WHERE ${condition}`]),
  ].join('');
}
