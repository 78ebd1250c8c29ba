import { expect, test } from 'vitest';
import { whyImpossible } from './cell-support.ts';
import type { EngineDescriptor } from './engine.ts';
import { defaultSettings, type Options } from './settings.ts';

const engine: EngineDescriptor = {
  id: 'two',
  label: 'Two drivers',
  driver: 'none',
  support: {
    insert: {
      prepared: { means: 'an insert', maxRowsPerCall: 1 },
      pipelined: { means: 'inserts ahead of answers', maxRowsPerCall: 1, needs: { driver: 'fast' } },
      arrayBind: { means: 'an array', maxRowsPerCall: 10, needs: { driver: 'fast', packed: true } },
    },
  },
  cannot: { pipelined: 'The slow driver waits for each answer.' },
  cancel: 'none',
  maxConnections: null,
  options: [
    { name: 'driver', label: 'Driver', help: '', choices: ['slow', 'fast'], byDefault: 'slow' },
    { name: 'packed', label: 'Packed', help: '', byDefault: false },
  ],
  config: [],
  embedded: null,
};
const why = (method: 'prepared' | 'pipelined' | 'arrayBind', options: Options = {}) =>
  whyImpossible(engine, { ...defaultSettings, method, options }, 3);

test('a cell that needs an option is empty with its default and there with its value', () => {
  expect(why('pipelined')).toBe('pipelined needs two.driver: fast. The slow driver waits for each answer.');
  expect(why('pipelined', { 'two.driver': 'slow' })).toContain('needs two.driver: fast');
  expect(why('pipelined', { 'two.driver': 'fast' })).toBeNull();
  expect(why('pipelined', { 'other.driver': 'fast' })).toContain('needs two.driver: fast');
});

test('every need that is not met is named', () => {
  expect(why('arrayBind')).toBe('arrayBind needs two.driver: fast and two.packed: true.');
  expect(why('arrayBind', { 'two.driver': 'fast' })).toBe('arrayBind needs two.packed: true.');
  expect(why('arrayBind', { 'two.driver': 'fast', 'two.packed': true })).toBeNull();
});

test('cells without needs heed none', () => {
  expect(why('prepared')).toBeNull();
});
