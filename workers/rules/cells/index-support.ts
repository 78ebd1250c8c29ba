import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { featuresOf, type IndexFeature, type IndexSpec, indexText, indexTextFor } from '#model/dataset/indexes.ts';
import type { Settings } from '#model/settings/settings.ts';
import { indexTextProblem } from '#model/statements/index-text.ts';

const words = {
  unique: 'unique: true',
  order: 'order: desc',
  include: 'include',
  where: 'where',
  expression: 'expression',
  path: 'path',
  invisible: 'visible: false',
} as const satisfies Readonly<Record<IndexFeature, string>>;

/** The reason why an engine cannot create an index of a table with these settings, as a sentence; null where it can. */
export function indexNotBuiltText(
  engine: EngineDescriptor,
  { documents = 'text', partitions = 1 }: Pick<Partial<Settings>, 'documents' | 'partitions'>,
  { columns }: Pick<Dataset, 'columns'>,
  index: IndexSpec,
): string | null {
  const { kind } = index;
  const { unsupportedReasons: reasons, label } = engine;
  const form = engine.indexes?.[kind];
  if (!form) return reasons[`index.${kind}`] ?? `${label} has no index of the kind ${kind}.`;
  const missing = featuresOf(index).find((feature) => form.takes?.[feature] === undefined);
  if (missing !== undefined) {
    const hasElsewhere = Object.values(engine.indexes ?? {}).some(({ takes }) => takes?.[missing] !== undefined);
    return (
      reasons[`index.${kind}.${missing}`] ??
      (hasElsewhere ? undefined : reasons[`index.${missing}`]) ??
      `On ${label} an index of the kind ${kind} cannot have ${words[missing]}.`
    );
  }
  if (partitions > 1 && index.unique && reasons['index.partitions'] !== undefined) return reasons['index.partitions'];
  const isWithinDocuments =
    featuresOf(index).includes('path') ||
    index.columns.some((part) => typeof part === 'string' && kind !== 'btree' && columns[part]?.type === 'document');
  if (isWithinDocuments && documents === 'text' && reasons['index.documents.text'] !== undefined)
    return reasons['index.documents.text'];
  return textProblem(engine, index);
}

/** The reason why the condition or an expression of an index does not fit the engine; null where they do. */
function textProblem(engine: EngineDescriptor, index: IndexSpec): string | null {
  const texts = [
    ...(index.where === undefined ? [] : [{ what: 'condition', text: index.where }]),
    ...index.columns.flatMap((part) =>
      typeof part !== 'string' && 'expression' in part ? [{ what: 'expression', text: part.expression }] : [],
    ),
  ];
  for (const { what, text } of texts) {
    const chosen = indexTextFor(text, engine.id);
    if (chosen === null) return `The ${what} of the index ${indexText(index)} has no text for ${engine.id}.`;
    const problem = engine.statements ? indexTextProblem(chosen, engine.statements) : null;
    if (problem !== null) return `The ${what} “${chosen}” of an index is not for ${engine.label}. ${problem}`;
  }
  return null;
}
