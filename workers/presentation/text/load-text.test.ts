import { expect, test } from 'vitest';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import { loadsText } from './load-text.ts';

const describe = (...variants: readonly Partial<Settings>[]): string =>
  loadsText({
    experiment: {},
    measure: {},
    variants: variants.map((own) => ({
      levels: {},
      settings: { ...defaultSettings, connections: 8, thinkMs: 20, ...own },
    })),
  } as unknown as Parameters<typeof loadsText>[0]);

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

test('many loads are told by what they range over, and how many they are', () => {
  const open = [100, 200, 400, 800, 1_600].map(
    (arrivalsPerSecond): Partial<Settings> => ({
      ...{ load: 'open', connections: 1, arrivalsPerSecond },
    }),
  );
  expect(describe(...open)).toBe('Load: open, 100 to 1,600 arrivals/s on 1 connection (5 different loads)');
  const users = [1, 2, 5, 64].map((count): Partial<Settings> => ({ users: count, connections: count, thinkMs: 0 }));
  // The loads differ in two words: users and connections.
  const pooled = [1, 2, 5, 64].map((count): Partial<Settings> => ({ users: count * 10, connections: count }));
  expect(describe(...users.toReversed())).toBe('Load: closed, 1 to 64 users (4 different loads)');
  expect(describe(...pooled)).toBe('Load: closed, 10 to 640 users on 1 to 64 connections (4 different loads)');
  expect(describe(...open.slice(0, 2), { load: 'partlyOpen', arrivalsPerSecond: 5 }, ...users)).toBe(
    'Load: open, 100 to 200 arrivals/s on 1 connection; partly open, 5 sessions/s on 8 connections; closed, 1 to 64 users (7 different loads)',
  );
});
