import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPath, parsePath } from './path-text.ts';

describe('paths', () => {
  it('are written as people write them', () => {
    expect(formatPath(['factors', 'method', 2])).toBe('factors.method[2]');
    expect(formatPath(['factors', 'method', 'one row, bind', 'method'])).toBe('factors.method["one row, bind"].method');
  });

  it('are read back as they were written', () => {
    const step = fc.oneof(fc.string({ minLength: 1 }), fc.nat(1000));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (path) => {
        expect(parsePath(formatPath(path))).toEqual(path);
      }),
    );
  });

  it('take a plain number for a position', () => {
    expect(parsePath('targets.0.port')).toEqual(['targets', 0, 'port']);
  });

  it.each(['', '.', 'a..b', 'a[', 'a[x]', 'a.', 'a]b', 'a["b'])('refuse %j', (text) => {
    expect(() => parsePath(text)).toThrow(/not a path/);
  });
});
