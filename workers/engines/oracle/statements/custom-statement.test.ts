import { expect, test } from 'vitest';
import type { Position } from '../../conformance/checks/hostile-values.ts';
import { everyPosition, expectSameTokens, planOf } from '../../shared/sql/tight-literals.fixture.ts';
import type { SessionState } from '../connection/session-state.ts';
import { statementLanguage } from '../descriptor.ts';
import { literal } from '../values/values.ts';
import { prepareCustomStatement } from './custom-statement.ts';
import { syntaxErrors } from './plsql.fixture.ts';

const state = {
  dialect: { version: 19, unicode: true, characterSet: 'AL32UTF8', owner: 'DYNO', emulator: null },
} as unknown as SessionState;

/** A text of the user's own as it is sent. */
function sent(position: Position, method: 'literal' | 'bind'): string {
  const { plan, batch } = planOf(position, method);
  return (prepareCustomStatement(state, plan).encode(batch) as { readonly text: string }).text;
}
const written = async (position: Position) => sent(position, 'literal');

test('literal: a value is the same tokens beside whatever it stands, and none is a comment', () =>
  expectSameTokens({
    language: statementLanguage,
    lexing: { brackets: false, nested: false },
    tableSql: '"DYNO_T"',
    literal: (value) => literal(value as string | number, { kind: 'bigint' }),
    written,
  }));

test('literal: Oracle’s grammar has what is written', { timeout: 180_000 }, async () => {
  for (const position of everyPosition(statementLanguage, { n: -5, k: 2, said: "';--\0/*" })) {
    const text = await written(position);
    expect(syntaxErrors(text), text).toEqual([]);
  }
});

test.each(['literal', 'bind'] as const)(
  '%s: the server takes no semicolon at the end, but for that of a block',
  (method) => {
    const send = (text: string) => sent({ text, values: {} }, method);
    expect(send("DELETE FROM t WHERE a = ';' ; -- done")).toBe("DELETE FROM t WHERE a = ';' ");
    for (const whole of [
      'BEGIN DELETE FROM t; DELETE FROM u; END;',
      '<<outer>> DECLARE n NUMBER; BEGIN DELETE FROM t; END;',
      'CREATE OR REPLACE PROCEDURE p AS BEGIN DELETE FROM t; END;',
      'WITH FUNCTION f RETURN NUMBER IS BEGIN RETURN 1; END; SELECT f FROM DUAL',
    ])
      expect(send(whole)).toBe(whole);
    expect(() => send('DELETE FROM t; DELETE FROM u')).toThrow('more than one statement');
  },
);
