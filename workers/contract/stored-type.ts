import type { ColumnType } from './dataset.ts';
import type { Settings } from './settings.ts';

/** "2024-02-29T12:34:56.000789Z" */
export const isoTimeLength = 27;

/** What a column is stored as: timestamps as the setting `dates` says, all others as they are. */
export function storedType(type: ColumnType, dates: Settings['dates']): ColumnType {
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
