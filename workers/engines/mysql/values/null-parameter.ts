import mysql from 'mysql2';
import type { NullBinding } from '#model/settings/vocabulary.ts';
import type { ParameterValue } from './values.ts';

/** The parameter for a null that declares its type. Null: the driver gives it a type. */
export function nullParameter(binding: NullBinding): ParameterValue {
  switch (binding) {
    case 'asFloat':
      return mysql.TypedParameter.DOUBLE(null);
    case 'untyped':
      return mysql.TypedParameter.NULL();
    default:
      return null;
  }
}
