import type { StatementPlan } from '#engine-api/statement.ts';
import type { Batch } from '#model/batch/batch.ts';
import { type JsonPiece, piecesOf } from '#model/statements/json-request.ts';
import { tableOf, unknownParameter } from '../../shared/custom-statement.ts';
import type { Dates } from '../values/dates.ts';
import { type FieldValue, fieldValues, idText } from '../values/documents.ts';

/** The values of the parameters, in the order of the plan. */
export type Values = readonly FieldValue[];

/** Writes the parameters' values as JSON. Throws 'badInput' for unknown parameters and tables. */
export type JsonMaker = (values: Values) => string;

type Plan = Pick<StatementPlan, 'parameters' | 'tables'>;

export function jsonMaker(value: unknown, { parameters, tables }: Plan): JsonMaker {
  const index = (name: string): number => {
    const found = parameters.findIndex((one) => one.name === name);
    if (found === -1) throw unknownParameter(name);
    return found;
  };
  const makeOne = ({ kind, text }: JsonPiece): string | ((values: Values) => string) => {
    switch (kind) {
      case 'json':
        return text;
      case 'table':
        return tableOf(tables, text).name;
      case 'value': {
        const p = index(text);
        return (values) => JSON.stringify(values[p]);
      }
      case 'within': {
        const p = index(text);
        return (values) => idText(values[p]!, parameters[p]!.type);
      }
    }
  };
  // Parts without parameters are written once.
  const pieces: (string | ((values: Values) => string))[] = [];
  for (const piece of piecesOf(value)) {
    const made = makeOne(piece);
    const last = pieces.at(-1);
    if (typeof made === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + made;
    else pieces.push(made);
  }
  return (values) => pieces.map((piece) => (typeof piece === 'string' ? piece : piece(values))).join('');
}

/** The parameters' values of a call. */
export const valuesOf =
  ({ parameters }: Plan, dates: Dates) =>
  ({ columns }: Batch): Values =>
    parameters.map(({ type }, c) => fieldValues(columns[c]!, type, 1, dates)[0]!);
