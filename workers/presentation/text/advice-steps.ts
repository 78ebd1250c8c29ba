import type { AdviceStep } from '#analysis/advise/candidate.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { type IndexSpec, indexTextFor } from '#model/dataset/indexes.ts';

/** The statement or setting with which a user carries out a step of advice, in the language of the engine. */
export function stepText(step: AdviceStep, descriptor: EngineDescriptor): string {
  switch (step.do) {
    case 'createIndex':
      return createText(step.table, step.index, descriptor);
    case 'dropIndex':
      return (descriptor.dropIndex ?? 'Drop the index {index} of {table}.')
        .replace('{index}', nameOf(step.table, step.index))
        .replace('{table}', word(step.table, descriptor));
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

/** A name in statements, with the quotes of the engine where it is reserved. */
function word(name: string, { statements }: EngineDescriptor): string {
  if (!reserved.has(name)) return name;
  const quoting = statements?.quoting ?? [];
  return quoting.includes('backtick') ? `\`${name}\`` : quoting.includes('bracket') ? `[${name}]` : `"${name}"`;
}

/** A name that says what the index is of: orders_customer_sold. */
function nameOf(table: string, { name, columns, where }: IndexSpec): string {
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

function createText(table: string, index: IndexSpec, descriptor: EngineDescriptor): string {
  const { id, statements } = descriptor;
  const { columns, include, where, unique } = index;
  if (statements?.language === 'json') {
    const key = Object.fromEntries(
      columns.map((part) => {
        const { column, path, order } = typeof part === 'object' && 'column' in part ? part : { column: String(part) };
        return [path === undefined ? column : `${column}.${path}`, order === 'desc' ? -1 : 1];
      }),
    );
    return JSON.stringify({ createIndexes: table, indexes: [{ key, name: nameOf(table, index) }] });
  }
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
