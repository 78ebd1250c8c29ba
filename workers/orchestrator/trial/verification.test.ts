import { describe, expect, it } from 'vitest';
import { type VerificationFacts, verify } from './verification.ts';

const sum = (rows: number, ...columns: (string | null)[]) => ({ rows, columns });
const evidence = (more: Partial<VerificationFacts>): VerificationFacts => ({
  operation: 'insert',
  serverData: false,
  columnNames: ['id', 'payload'],
  loaded: null,
  results: [{ acknowledged: sum(10, '100', '7'), uncertainRows: 0 }],
  found: sum(10, '100', '7'),
  ...more,
});

describe('verify', () => {
  it('matches when rows and checksums of all workers add up', () => {
    const results = [
      { acknowledged: sum(10, '100', '7'), uncertainRows: 0 },
      { acknowledged: sum(5, '50', '3'), uncertainRows: 0 },
    ];
    expect(verify(evidence({ results, found: sum(15, '150', '10') }))).toMatchObject({
      outcome: 'match',
      expectedRows: 15,
    });
  });

  it('names custom statements whose rows the server does not count', () => {
    const counts = { kind: 'statement', calls: 3, rows: 0, errors: {}, service: '', failed: null } as const;
    const statements = [
      { name: 'pay', ...counts, uncounted: 3 },
      { name: 'look', ...counts },
    ];
    const of = (results: VerificationFacts['results']) => verify(evidence({ operation: 'statement', results })).note;
    const told = { acknowledged: null, uncertainRows: 0 };
    expect(
      of([
        { ...told, statements },
        { ...told, statements },
      ]),
    ).toContain('Of “pay” the server did not say');
    expect(of([told])).not.toContain('did not say');
  });

  it('finds a lost row, and a row too many', () => {
    expect(verify(evidence({ found: sum(9, '90', '6') })).outcome).toBe('mismatch');
    expect(verify(evidence({ found: sum(11, '110', '8') })).outcome).toBe('mismatch');
  });

  it('finds changed content and names the column', () => {
    const found = verify(evidence({ found: sum(10, '100', '8') }));
    expect(found.outcome).toBe('mismatch');
    expect(found.note).toContain('payload');
    expect(found.note).not.toContain('id,');
  });

  it('sums exactly beyond 2^53', () => {
    const results = [{ acknowledged: sum(10, '9007199254740993', '7'), uncertainRows: 0 }];
    expect(verify(evidence({ results, found: sum(10, '9007199254740992', '7') })).outcome).toBe('mismatch');
  });

  it('allows for rows of failed calls, but for no more', () => {
    const results = [{ acknowledged: sum(10, '100', '7'), uncertainRows: 2 }];
    expect(verify(evidence({ results, found: sum(12, '120', '9') })).outcome).toBe('countOnly');
    expect(verify(evidence({ results, found: sum(13, '130', '9') })).outcome).toBe('mismatch');
  });

  it('compares the columns that both sides can sum', () => {
    const found = verify(evidence({ found: sum(10, '100', null) }));
    expect(found).toMatchObject({ outcome: 'match' });
    expect(found.note).toContain('id');
  });

  it('expects reads to leave the loaded rows as they were', () => {
    const loaded = sum(10, '100', '7');
    const results = [{ acknowledged: null, uncertainRows: 0 }];
    expect(verify(evidence({ operation: 'scan', loaded, results })).outcome).toBe('match');
    expect(verify(evidence({ operation: 'scan', loaded, results, found: sum(9, '90', '7') })).outcome).toBe('mismatch');
  });

  it('takes deleted rows off and counts what is left', () => {
    const results = [{ acknowledged: sum(4), uncertainRows: 1 }];
    const loaded = sum(10, '100', '7');
    const outcome = (rows: number) =>
      verify(evidence({ operation: 'delete', loaded, results, found: sum(rows, '1', '1') })).outcome;
    expect(outcome(6)).toBe('countOnly');
    expect(outcome(5)).toBe('countOnly');
    expect(outcome(7)).toBe('mismatch');
  });

  it('says so where the engine keeps no rows', () => {
    expect(verify(evidence({ found: null })).outcome).toBe('notPossible');
  });

  it('holds a copy of all rows against its source, but for the keys, which are new', () => {
    const copied = { operation: 'copy', source: sum(10, '55', '7') } as const;
    const results = [{ acknowledged: sum(10, '100', null), uncertainRows: 0 }];
    expect(verify(evidence({ ...copied, results })).outcome).toBe('match');
    expect(verify(evidence({ ...copied, results, found: sum(10, '100', '8') })).outcome).toBe('mismatch');
    expect(verify(evidence({ ...copied, results, found: sum(10, '101', '7') })).outcome).toBe('mismatch');
    expect(verify(evidence({ ...copied, results, found: sum(9, '90', '6') })).outcome).toBe('mismatch');
  });

  it('counts the rows of a copy that did not get to the end', () => {
    const results = [{ acknowledged: sum(4, '40', null), uncertainRows: 0 }];
    const found = sum(4, '40', '3');
    expect(verify(evidence({ operation: 'copy', source: sum(10, '55', '7'), results, found }))).toMatchObject({
      outcome: 'countOnly',
      note: expect.stringContaining('4 of 10') as string,
    });
  });
});
