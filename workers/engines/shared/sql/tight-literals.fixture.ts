import fc from 'fast-check';
import { expect } from 'vitest';
import type { StatementPlan } from '#engine-api/statement.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { Value } from '#model/batch/decode.ts';
import { batchOf } from '#model/batch/encode.ts';
import { partsOf, type StatementLanguage } from '#model/statements/statement-text.ts';
import {
  givenAs,
  hostileText,
  minusUpdate,
  type Position,
  tightPositions,
} from '../../conformance/checks/hostile-values.ts';
import { quoter } from '../../conformance/statement-texts.ts';
import { isComment, type Lexing, sqlTokens } from './sql-tokens.fixture.ts';

/** Tests the literals of an engine without its server: the tokens of a text have to contain the intended values. */
interface Dialect {
  readonly language: StatementLanguage;
  readonly lexing: Lexing;
  /** The table as statements have it. */
  readonly tableSql: string;
  literal(value: Value): string;
  /** A text of the user's own as method literal sends it. */
  written(position: Position): Promise<string>;
}

/** Plan and batch of a text with its values. */
export function planOf(position: Position, method: StatementPlan['method']): { plan: StatementPlan; batch: Batch } {
  const { parameters, row } = givenAs(position);
  const table = { name: 'dyno_t', columns: [], key: null, options: {} };
  const plan = { text: position.text, parameters, method, tables: { table }, options: {}, isRead: false };
  const types = parameters.map(({ type }) => type);
  return { plan, batch: batchOf([row], types) };
}

export const hostileNumbers = fc.record({
  n: fc.maxSafeInteger(),
  k: fc.integer({ min: 1, max: 9 }),
  said: hostileText,
});

export function everyPosition(
  language: StatementLanguage,
  given: { readonly n: number; readonly k: number; readonly said: string },
): readonly Position[] {
  const [note, n, m, id] = ['note', 'n', 'm', 'id'].map(quoter(language));
  return [
    ...tightPositions(language, 5, given),
    { text: minusUpdate(language), values: { n: given.n, id: given.n } },
    {
      text: `UPDATE {table} SET ${note}=:said,${n} =-:n,${m}=${m}/:n*:n WHERE ${id}=:n`,
      values: { said: given.said, n: given.n },
    },
  ];
}

/** A value has the same tokens whatever stands beside it, and none of them is a comment. */
export const expectSameTokens = ({ language, lexing, tableSql, literal, written }: Dialect): Promise<void> =>
  fc.assert(
    fc.asyncProperty(hostileNumbers, async (given) => {
      for (const position of everyPosition(language, given)) {
        const apart = partsOf(position.text, language).map((part) => {
          if (part.kind === 'table') return tableSql;
          return part.kind === 'parameter' ? `\n${literal(position.values[part.name]!)}\n` : part.text;
        });
        const tokens = sqlTokens(await written(position), lexing);
        expect(tokens).toEqual(sqlTokens(apart.join(''), lexing));
        expect(tokens.filter(isComment)).toEqual(sqlTokens(position.text, lexing).filter(isComment));
      }
    }),
    { numRuns: 50 },
  );
