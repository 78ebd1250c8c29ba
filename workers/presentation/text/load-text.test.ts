import { expect, test } from 'vitest';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import { describeLoads } from './load-text.ts';

const describe = (...variants: readonly Partial<Settings>[]): string =>
  describeLoads({
    experiment: {},
    measure: {},
    variants: variants.map((own) => ({ settings: { ...defaultSettings, connections: 8, thinkMs: 20, ...own } })),
  } as unknown as Parameters<typeof describeLoads>[0]);

test('loads that differ in one number are one text, and others are told one by one', () => {
  const sixteen = 'closed, 16 users on 8 connections, think time 20 ms (exponential)';
  expect(describe({ users: 16 })).toBe(`Load: ${sixteen}`);
  expect(describe({ users: 12 }, { users: 16 }, { users: 64 })).toBe(
    'Load: closed, 12, 16 or 64 users on 8 connections, think time 20 ms (exponential)',
  );
  expect(describe({ users: 16 }, { users: 64, thinkMs: 5 })).toBe(
    `Load: ${sixteen}; closed, 64 users on 8 connections, think time 5 ms (exponential)`,
  );
});
