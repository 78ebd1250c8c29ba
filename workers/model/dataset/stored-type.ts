import type { Settings } from '../settings/settings.ts';
import type { ColumnType } from './dataset.ts';

/** "2024-02-29T12:34:56.000789Z" */
export const isoTimeLength = 27;

/** The settings that choose the types of stored columns. An absent setting has its default. */
export type StoredAs = Partial<Pick<Settings, 'dates' | 'documents'>>;

/** The stored type of a column: the setting `dates` chooses it for timestamps, `documents` for documents. */
export function storedType(type: ColumnType, { dates, documents }: StoredAs): ColumnType {
  if (type.kind === 'text' && type.document) {
    const { document: _, ...text } = type;
    return documents === 'native' ? type : text;
  }
  if (type.kind !== 'timestamp') return type;
  switch (dates) {
    case 'isoText':
      return { kind: 'text', maxLength: isoTimeLength, fixed: true, ascii: true };
    case 'ticks':
      return { kind: 'bigint' };
    default:
      return type;
  }
}
