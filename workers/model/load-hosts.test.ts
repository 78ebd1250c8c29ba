import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  hostNameProblem,
  hostShares,
  isLocalLoad,
  loadFromPattern,
  loadFromText,
  processesByHost,
  remoteHosts,
} from './load-hosts.ts';

test('a load names its hosts, with weights or without', () => {
  expect(hostShares('local, load1*3')).toEqual([
    { host: 'local', weight: null },
    { host: 'load1', weight: 3 },
  ]);
  expect(loadFromText(hostShares('local, load1*3'))).toBe('local, load1*3');
  expect(remoteHosts('local, load1*3,load2')).toEqual(['load1', 'load2']);
  expect(isLocalLoad('local')).toBe(true);
  expect(['load1,', 'a b', '', 'load1*0', '-a', 'a;b'].filter((text) => loadFromPattern.test(text))).toEqual([]);
  expect(hostNameProblem('local')).not.toBeNull();
  expect(hostNameProblem('load1.example.com')).toBeNull();
});

test('every host gets a process, all are given out, and none is a whole one away from its share', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 64 }),
      (weights, processes) => {
        const counts = processesByHost(weights, processes);
        const total = weights.reduce((sum, one) => sum + one, 0);
        expect(counts.reduce((sum, one) => sum + one, 0)).toBe(Math.max(processes, weights.length));
        for (const [i, count] of counts.entries()) {
          const share = (weights[i]! / total) * processes;
          expect(count).toBeGreaterThanOrEqual(1);
          expect(count).toBeLessThan(Math.max(1, share) + 1);
        }
      },
    ),
    { numRuns: 200 },
  );
});
