import { expect, test } from 'vitest';
import { DynoError } from '#model/error.ts';
import type { TriedStatement, TryReport } from '#model/statements/statements.ts';
import { matrixLines } from './try-matrix.ts';

const tried = (name: string, error: DynoError | null): TriedStatement => ({
  ...{ name, text: '', isRead: true, parameters: [], shown: null, plan: null, planNote: null, elapsedMs: null },
  asExpected: true,
  error: error?.data ?? null,
});
const report = (name: string, target: string, error: DynoError | null = null, ofAll = false): TryReport => ({
  ...{ target, engine: 'x', item: { kind: 'statement', name }, as: null },
  statements: ofAll ? [] : [tried(name, error)],
  error: ofAll ? (error?.data ?? null) : null,
});

test('each statement is a row, each target a column, and each message stands once below', () => {
  const syntax = new DynoError('badInput', 'near "ON": syntax error\nat 1');
  const lines = matrixLines([
    report('find', 'postgres@18'),
    report('latest', 'postgres@18'),
    report('find', 'sqlite'),
    report('latest', 'sqlite', syntax),
    report('find', 'mongo', new DynoError('unsupported', 'No JSON.'), true),
    report('latest', 'mongo', new DynoError('unsupported', 'No JSON.'), true),
  ]);
  expect(lines.map((line) => line.trim().split(/\s{2,}/))).toEqual([
    ['statement', 'postgres@18', 'sqlite', 'mongo'],
    ['find', 'runs', 'runs', 'cannot (1)'],
    ['latest', 'runs', 'does not run (2)', 'cannot (1)'],
    ['(1) No JSON.'],
    [expect.stringMatching(/^\(2\) near "ON": syntax error.*at 1$/)],
  ]);
});

test('a single target needs no table', () => {
  expect(matrixLines([report('find', 'sqlite')])).toEqual([]);
});
