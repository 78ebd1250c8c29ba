import { describe, expect, it, test } from 'vitest';
import { defaultSettings } from '#model/settings/settings.ts';
import { planOf } from '../../shared/sql/tight-literals.fixture.ts';
import { connectionDouble } from '../connection/connection.fixture.ts';
import { prepareCustomStatement } from './custom-statement.ts';
import { maxdopHint, withMaxdop } from './maxdop.ts';
import { prepareOperation, type SessionContext } from './operations.ts';

const table = {
  name: 't',
  key: 0,
  options: { maxdop: 4 },
  columns: [{ name: 'id', type: { kind: 'bigint' } as const, nullable: false }],
};

/** A session that remembers the texts that it prepared. */
function sessionOf() {
  const texts: string[] = [];
  const session = {
    connection: connectionDouble().connection,
    collation: Buffer.alloc(5),
    prepared: async (sql: string) => texts.push(sql),
  } as unknown as SessionContext;
  return { texts, session };
}

describe('option maxdop', () => {
  it('is a hint behind the text, and 0 is none', () => {
    expect(maxdopHint({ maxdop: 2 })).toBe(' OPTION (MAXDOP 2)');
    expect(maxdopHint({ maxdop: 0 })).toBe('');
    expect(maxdopHint({})).toBe('');
  });

  test.each([
    ['scan', 'SELECT [id] FROM dyno.[t] OPTION (MAXDOP 4)'],
    ['readRange', 'SELECT TOP (100) [id] FROM dyno.[t] WHERE [id] >= @P0 ORDER BY [id] OPTION (MAXDOP 4)'],
    ['readByKey', 'SELECT [id] FROM dyno.[t] WHERE [id] = @P0'],
    ['delete', 'DELETE FROM dyno.[t] WHERE [id] = @P0'],
  ] as const)('belongs to scans and ranges: %s', async (operation, text) => {
    const { texts, session } = sessionOf();
    const settings = { ...defaultSettings, operation, method: 'prepared', rangeRows: 100 } as const;
    await prepareOperation(session, { table, operation, method: 'prepared', settings });
    expect(texts).toEqual([text]);
  });

  test.each([
    ['SELECT a FROM t WHERE b = :n', 'SELECT a FROM t WHERE b = @P0\nOPTION (MAXDOP 2)'],
    ['SELECT a FROM t; ', 'SELECT a FROM t\nOPTION (MAXDOP 2)'],
    ['SELECT a FROM t -- all', 'SELECT a FROM t -- all\nOPTION (MAXDOP 2)'],
    ["SELECT 'option (' FROM t", "SELECT 'option (' FROM t\nOPTION (MAXDOP 2)"],
  ])('ends a reading statement of the user’s own: %s', async (text, expected) => {
    const { texts, session } = sessionOf();
    const { plan } = planOf({ text, values: { n: 1 } }, 'prepared');
    await prepareCustomStatement(session, { ...plan, options: { maxdop: 2 }, isRead: true });
    expect(texts).toEqual([expected]);
  });

  it('leaves changing statements as they are', async () => {
    const { texts, session } = sessionOf();
    const { plan } = planOf({ text: 'DELETE FROM t WHERE b = :n', values: { n: 1 } }, 'prepared');
    await prepareCustomStatement(session, { ...plan, options: { maxdop: 2 } });
    expect(texts).toEqual(['DELETE FROM t WHERE b = @P0']);
  });

  it('is refused for a text with hints of its own, and leaves a second statement to be refused', () => {
    expect(() => withMaxdop('SELECT a FROM t OPTION (RECOMPILE)', { maxdop: 2 })).toThrow(/has one already/);
    expect(withMaxdop('SELECT a FROM t OPTION (RECOMPILE)', { maxdop: 0 })).toContain('RECOMPILE');
    expect(withMaxdop('SELECT 1; SELECT 2', { maxdop: 2 })).toBe('SELECT 1; SELECT 2');
  });
});
