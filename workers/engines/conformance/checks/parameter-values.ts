import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ColumnVector } from '#model/batch/batch.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { whole as isWhole, oneInTurn } from '#platform/whole.fixture.ts';
import { numberColumn, textColumn } from '../../shared/test-table.fixture.ts';
import { type NumberKind, numberTexts } from '../number-texts.ts';
import { noParameters } from '../rows.ts';
import { statementSuite } from '../statement-suite.ts';
import type { Suite } from '../suite.ts';

/** A parameter with a value, and the value as people write it in a statement. */
interface Given {
  readonly kind: NumberKind;
  readonly type: ParameterType;
  readonly column: ColumnVector;
  readonly written: string;
  /** A decimal of an answer. A driver without decimals may write it with more zeros at its end. */
  readonly isOpen?: boolean;
}

const whole = (value: bigint): Given => ({
  kind: 'integer',
  type: { kind: 'bigint' },
  column: BigInt.asIntN(54, value) === value ? numberColumn([Number(value)]) : textColumn(String(value)),
  written: String(value),
});
/** `unscaled`: the decimal without its point. A number holds 15 digits of it; text holds a longer one. */
const decimal = (unscaled: bigint, scale: number, open = false): Given => {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const written = `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  const type = open
    ? ({ kind: 'decimal', precision: 38, scale: 19, anyScale: true } as const)
    : ({ kind: 'decimal', precision: digits.length, scale } as const);
  const isShort = digits.length <= 15 && !open;
  return {
    kind: 'decimal',
    type,
    column: isShort ? numberColumn([Number(unscaled)]) : textColumn(written),
    written,
    isOpen: open,
  };
};
const float = (value: number): Given => ({
  kind: 'float',
  type: { kind: 'float' },
  column: numberColumn([value]),
  written: Object.is(value, -0) ? '-0e0' : value.toExponential().replace('e+', 'e'),
});

const wholes = [
  0n,
  1n,
  -1n,
  255n,
  2n ** 31n,
  -(2n ** 31n) - 1n,
  1_230_000_000_000_000n,
  2n ** 53n - 1n,
  2n ** 53n + 1n,
];
const limits = [2n ** 63n - 1n, -(2n ** 63n)];
const decimals = [
  decimal(10n, 2),
  decimal(-1_205n, 2),
  decimal(1_234_567_890_123_456_789_012n, 2),
  decimal(7n, 2, true),
];
const floats = [3, 0.1, -0, 1e-7, 1e15];
/** The seed is the same in each run. */
const seed = 37;
const drawn = <T>(values: fc.Arbitrary<T>): readonly T[] => fc.sample(values, { seed, numRuns: 2 });
const all: readonly Given[] = [
  ...[...wholes, ...limits, ...drawn(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))].map(whole),
  ...decimals,
  ...drawn(fc.bigInt(-(10n ** 20n), 10n ** 20n)).map((unscaled) => decimal(unscaled, 2)),
  ...[...floats, ...drawn(fc.double({ noNaN: true, min: -1e9, max: 1e9 }))].map(float),
];
/** `npm test` takes every third whole number: there are three times as many as of the other kinds. */
const given = isWhole ? all : all.filter(({ kind }, at) => kind !== 'integer' || at % 3 === 0);

/** A parameter gives the same answer as its value written in its place. */
export function testParameterValues(suite: Suite): void {
  const { withTable, planTable, keepsRows, statementMethods, options } = suite;
  const { language } = statementSuite(suite);
  const kinds: readonly NumberKind[] = ['integer', 'decimal', 'float'];

  test.each(kinds)(
    'a parameter that is a number (%s) does what the number does in its place, by every method',
    async (kind) => {
      const texts = keepsRows && language ? numberTexts(language, suite.server) : null;
      if (!texts?.takes(kind)) return;
      await withTable(async ({ name }) => {
        const table = planTable(`${name}n`);
        const answerOf = async (
          text: string,
          value: Given | null = null,
          method: MethodName = statementMethods[0]!,
        ) => {
          const one = await suite.session.prepareStatement!({
            text,
            method,
            parameters: value ? [{ name: 'v', type: value.type, nullable: true }] : [],
            tables: { table },
            options,
            isRead: text === texts.read,
          });
          return one.show(one.encode(value ? { rows: 1, columns: [value.column] } : noParameters), 10);
        };
        /** The rows of a query, or the table after a change; null: the server refuses it. */
        const outcome = async (isQuestion: boolean, ...asked: Parameters<typeof answerOf>) => {
          if (!isQuestion) for (const one of texts.reset) await answerOf(one);
          try {
            const answer = await answerOf(...asked);
            return isQuestion ? answer.rows : (await answerOf(texts.read)).rows;
          } catch {
            return null;
          }
        };
        const differing: unknown[] = [];
        let compared = 0;
        try {
          for (const text of [...texts.make, ...texts.reset]) await answerOf(text);
          // Queries come first, because they find the row as it was.
          const places = texts.places.filter(({ takes }) => takes.includes(kind));
          places.sort((a, b) => Number(b.isQuestion ?? false) - Number(a.isQuestion ?? false));
          for (const place of places)
            for (const value of given.filter((one) => one.kind === kind && !(one.isOpen && place.asText))) {
              const isQuestion = place.isQuestion === true;
              const expected = await outcome(isQuestion, place.text(texts.written(kind, value.written)));
              if (expected === null) continue;
              const methods = oneInTurn(statementMethods, compared++);
              const text = place.text(texts.parameter);
              for (const method of methods) {
                const found = await outcome(isQuestion, text, value, method);
                if (JSON.stringify(found) !== JSON.stringify(expected))
                  differing.push({ text, method, value: value.written, expected, found });
              }
            }
        } finally {
          for (const text of texts.unmake) await answerOf(text);
        }
        expect(differing).toEqual([]);
        expect(compared, 'calls that the server takes').toBeGreaterThan(10);
      });
    },
    300_000,
  );
}
