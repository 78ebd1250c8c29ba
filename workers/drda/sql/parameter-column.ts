import type { WireColumn } from '../fdoca/descriptor.ts';
import { byteLob, characterLob, nullable } from '../fdoca/parameters.ts';
import { fdoca } from '../fdoca/types.ts';
import type { Column } from './columns.ts';

/** How a parameter is sent; null for types this client cannot send. */
export function parameterColumn({ type, precision, scale, length }: Column): WireColumn | null {
  switch (type) {
    case 'smallint':
      return { type: fdoca.smallint | nullable, length: 2 };
    case 'integer':
      return { type: fdoca.integer | nullable, length: 4 };
    case 'bigint':
      return { type: fdoca.bigint | nullable, length: 8 };
    case 'decimal':
      return { type: fdoca.decimal | nullable, length: (precision << 8) | scale };
    case 'real':
      return { type: fdoca.real | nullable, length: 4 };
    case 'double':
      return { type: fdoca.double | nullable, length: 8 };
    case 'char':
    case 'varchar':
      return { type: fdoca.mixedVarchar | nullable, length: 0x7fff };
    case 'longVarchar':
      return { type: fdoca.mixedLongVarchar | nullable, length: 0x7fff };
    case 'bytes':
    case 'varBytes':
      return { type: fdoca.varBytes | nullable, length: 0x7fff };
    case 'longVarBytes':
      return { type: fdoca.longVarBytes | nullable, length: 0x7fff };
    case 'date':
      return { type: fdoca.date | nullable, length: 10 };
    case 'time':
      return { type: fdoca.time | nullable, length: 8 };
    case 'timestamp':
      return { type: fdoca.timestamp | nullable, length: length >= 26 && length <= 32 ? length : 26 };
    case 'boolean':
      return { type: fdoca.boolean | nullable, length: 1 };
    case 'clob':
      return characterLob;
    case 'blob':
      return byteLob;
    default:
      return null;
  }
}
