import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatBytesTick,
  formatChangeBounds,
  formatCount,
  formatInterval,
  formatMs,
  formatMsTick,
  formatMsTo,
  formatNumber,
  formatPercent,
  formatRate,
  formatRatioInterval,
  formatShort,
  formatSpeed,
  formatTick,
  formatUpTo,
} from './format.ts';

/** No-break spaces as plain ones, to be readable here. */
const plain = (text: string) => text.replace(/\u00a0/g, ' ');

describe('number formats', () => {
  it.each([
    [1_234_567, '1,230,000'],
    [0.012345, '0.0123'],
    [9.999, '10.0'],
    [999.6, '1,000'],
    [41.25, '41.3'],
    [0, '0'],
    [-5.5, '−5.50'],
    [0.0000123, '0.0000123'],
    [-0.0000000081, '−0.00000000810'],
    [1e21, '1,000,000,000,000,000,000,000'],
    [-1.234e24, '−1,230,000,000,000,000,000,000,000'],
  ])('writes %f with three digits as %s', (value, text) => expect(plain(formatNumber(value))).toBe(text));

  it.each([
    [16_400, '16.4k'],
    [2_510_000, '2.51M'],
    [999.4, '999'],
    [999_600, '1.00M'],
    [7, '7.00'],
  ])('shortens %f to %s', (value, text) => expect(plain(formatShort(value))).toBe(text));

  it('never prints 1000 of a smaller unit, and is right to three digits', () => {
    const units: Record<string, number> = { k: 1e3, M: 1e6, G: 1e9, T: 1e12 };
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e14, noNaN: true }), (value) => {
        const text = plain(formatShort(value)).replaceAll(' ', '');
        const letter = text.at(-1)!;
        const number = Number.parseFloat(text);
        expect(Math.abs(number * (units[letter] ?? 1) - value) / value).toBeLessThan(0.005_1);
        if (letter !== 'T') expect(number).toBeLessThan(1_000);
      }),
      { seed: 1, numRuns: 2_000 },
    );
  });

  it('takes the unit of time that suits', () => {
    const written = [0.00085, 0.0123, 1.25, 3_400, 125_000, 3_720_000].map((ms) => plain(formatMs(ms)));
    expect(written).toEqual(['850 ns', '12.3 µs', '1.25 ms', '3.40 s', '2 min 5 s', '1 h 2 min']);
    expect(plain(formatMs(0.9996))).toBe('1.00 ms');
  });

  it('drops the zeros at the end of axis ticks only', () => {
    expect([formatTick(10_000), formatTick(1_500), formatTick(0.25), formatTick(100)].map(plain)).toEqual([
      '10k',
      '1.5k',
      '0.25',
      '100',
    ]);
    expect([formatMsTick(0), formatMsTick(10_000), formatMsTick(0.1)].map(plain)).toEqual(['0', '10 s', '100 µs']);
    expect([formatMsTick(300_000), formatMsTick(150_000)].map(plain)).toEqual(['5 min', '2 min 30 s']);
    expect([formatBytesTick(0), formatBytesTick(3 * 2 ** 20)].map(plain)).toEqual(['0', '3 MiB']);
  });

  it('writes bytes, shares, counts, rates and ratios', () => {
    expect(plain(formatBytes(1.5 * 2 ** 30))).toBe('1.50 GiB');
    expect([0.123, 0.000_1, 0].map((share) => plain(formatPercent(share)))).toEqual(['12.3 %', '<0.1 %', '0 %']);
    expect(plain(formatCount(1_234_567))).toBe('1,234,567');
    expect(plain(formatRate(16_400))).toBe('16.4k rows/s');
    expect(formatRatioInterval({ value: 41.23, low: 38.91, high: 43.69 })).toBe('41.2× (38.9–43.7)');
    expect(formatRatioInterval({ value: 2, low: null, high: null })).toBe('2.00×');
    expect(formatRatioInterval({ value: 52.4, low: 4.54e-39, high: 6.05e41 })).toBe('52× (<0.0001–>1,000,000)');
  });

  it('has two digits where the interval is wide, and keeps a bound on its side of 1', () => {
    expect(formatRatioInterval({ value: 12.34, low: 8.12, high: 17.4 })).toBe('12× (8.1–17)');
    expect(formatRatioInterval({ value: 1.234, low: 1.004, high: 1.52 })).toBe('1.2× (1.004–1.5)');
    expect(formatInterval({ value: 16_400, low: 15_900, high: 16_900 })).toBe('16.4k (15.9k–16.9k)');
    expect(formatInterval({ value: 358_400, low: 291_000, high: 431_000 })).toBe('360k (290k–430k)');
    expect(plain(formatInterval({ value: 0.998, low: 0.61, high: 1.9 }, formatMsTo))).toBe('1.0 ms (610 µs–1.9 ms)');
    expect(plain(formatInterval({ value: 0.116, low: 0.107, high: 0.126 }, formatMsTo))).toBe('116 µs (107–126 µs)');
  });

  it('names the factor of faster or slower', () => {
    const speed = (value: number) => plain(formatSpeed({ value, low: null, high: null }));
    expect([2.1, 66.2, 1.4, 0.6, 0.985, 0.012].map(speed)).toEqual([
      '2.10× faster',
      '66.2× faster',
      '40 % faster',
      '40 % slower',
      '1.5 % slower',
      '99 % slower',
    ]);
  });

  it('writes the bounds of a difference in the unit of its value', () => {
    const change = (value: number, low: number, high: number) =>
      plain(`${formatSpeed({ value, low, high })}${formatChangeBounds({ value, low, high })}`);
    expect(change(0.9, 0.888, 0.912)).toBe('10 % slower (8.8–11 %)');
    expect(change(1.62, 1.4, 1.9)).toBe('62 % faster (40–90 %)');
    expect(change(41.23, 38.91, 43.69)).toBe('41.2× faster (38.9–43.7×)');
    expect(change(2.1, 1.9, 2.4)).toBe('2.1× faster (1.9–2.4×)');
    expect(change(0.0024, 0.0021, 0.0027)).toBe('99.8 % slower (99.7–99.8 %)');
    expect(change(1.5, 1.001, 6.05e41)).toBe('50 % faster (0.10–>1,000,000 %)');
    expect(formatChangeBounds({ value: 0.9, low: null, high: null })).toBe('');
  });

  it('has no zeros at the end where only the most digits are given', () => {
    expect([1_500, 0.25, 20_000, 3].map((value) => formatUpTo(value))).toEqual(['1,500', '0.25', '20,000', '3']);
    expect(formatUpTo(1_234.5678, 4)).toBe('1,235');
  });

  it('has a dash for unmeasured values', () => {
    expect([formatNumber(null), formatMs(Number.NaN), formatBytes(undefined), formatPercent(null)]).toEqual([
      '–',
      '–',
      '–',
      '–',
    ]);
  });
});
