import { expect, test } from 'vitest';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Checked } from '#protocol/ipc.ts';
import { starterText } from './starter-text.ts';

const engines = [
  { builtIn: [{ target: 'embedded-postgres', label: 'PostgreSQL (built in)' }] },
  { builtIn: [{ target: 'sqlite', label: 'SQLite (built in)' }], inProcess: true },
  { builtIn: [{ target: 'noop', label: 'No-op engine' }], reference: true },
] as unknown as readonly EngineDescriptor[];

const checked = {
  diagnostics: [],
  estimateSeconds: { least: 50, most: 52.4, likely: null },
  plan: {
    variants: [{}, {}, {}, {}, {}, {}],
    targets: [{ name: 'embedded-postgres' }, { name: 'sqlite' }, { name: 'noop' }],
  },
} as unknown as Checked;

test('the first start says what one press does, and for how long', () => {
  expect(starterText(checked, engines, {})).toEqual({
    lacks: false,
    happens:
      'Dyno brings PostgreSQL and SQLite. It inserts the same rows in six ways, and says which way is fastest, how certain that is, and what limits the others. PostgreSQL runs on this machine during the run; no data leaves it.',
    takes: 'about 52 s',
  });
});

test('a server that is missing is not promised', () => {
  const { lacks, happens } = starterText(checked, engines, { 'embedded-postgres': { what: 'x', fix: 'y' } });
  expect(lacks).toBe(true);
  expect(happens).toMatch(/^Dyno brings SQLite\. .* others\.$/);
});

test('before the plan is known nothing is claimed of it', () => {
  expect(starterText(null, engines, {})).toMatchObject({ lacks: false, takes: null });
  expect(starterText(checked, [], {}).happens).toMatch(/^Dyno inserts the same rows/);
});
