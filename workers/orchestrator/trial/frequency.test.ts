import { expect, test } from 'vitest';
import { countedMhz, meanMhz } from './frequency.ts';

test('the mean over the cores is read in MHz', () => {
  expect(meanMhz(['3400000\n', '1000000\n', null])).toBe(2_200);
  expect([meanMhz([]), meanMhz([null, '<unknown>\n'])]).toEqual([null, null]);
});

const cpuinfo = (flags: string, ...mhz: readonly number[]) =>
  mhz.map((one) => `processor\t: 0\ncpu MHz\t\t: ${one}.500\nflags\t\t: fpu ${flags} sse\n`).join('\n');

test('a frequency that nothing counts is not known', () => {
  expect(countedMhz(cpuinfo('aperfmperf', 3_000, 2_000))).toBe(2_500.5);
  // A virtual machine reports the nominal frequency of its processor.
  expect(countedMhz(cpuinfo('constant_tsc', 2_596, 2_596))).toBeNull();
  expect(countedMhz(null)).toBeNull();
});
