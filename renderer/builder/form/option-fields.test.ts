import { expect, test } from 'vitest';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { flatSettings, settingPath, variedBy } from '../draft/raw-experiment.ts';
import { enginesIn, optionFields, settingFieldOf } from './option-fields.ts';
import { firstLevels, levelOf } from './setting-fields.ts';

const engine = (id: string, more: Partial<EngineDescriptor> = {}): EngineDescriptor => ({
  id,
  label: id.toUpperCase(),
  driver: id,
  support: {},
  unsupportedReasons: {},
  uuids: { implementation: 'uuid', order: 'bytes' },
  cancel: 'none',
  maxConnections: null,
  config: [],
  builtIn: [],
  ...more,
});

const loud = engine('loud', {
  options: [
    { name: 'packet', label: 'Packet', help: 'Bytes.', min: 512, max: 4_096, defaultValue: 4_096 },
    { name: 'delay', label: 'Delay', help: 'Waits.', defaultValue: true },
    { name: 'kind', label: 'Kind', help: 'Which.', choices: ['heap', 'tree'], defaultValue: 'heap' },
    { name: 'hint', label: 'Hint', help: 'Text.', defaultValue: 'none' },
  ],
});
const quiet = engine('quiet', { builtIn: [{ target: 'quiet-one', label: 'Quiet', about: '' }] });
const engines = [loud, quiet];

test('every option has a field of its kind, with its bounds and default', () => {
  expect(optionFields(loud)).toMatchObject([
    {
      name: 'loud.packet',
      title: 'LOUD: Packet',
      kind: 'number',
      numbers: { whole: true, min: 512, max: 4_096 },
      defaultValue: '4096',
    },
    { name: 'loud.delay', kind: 'choice', options: ['true', 'false'], isBoolean: true },
    { name: 'loud.kind', kind: 'choice', options: ['heap', 'tree'], isBoolean: false },
    { name: 'loud.hint', kind: 'text', options: [] },
  ]);
  expect(optionFields(quiet)).toEqual([]);
});

test('settings and options are found by name', () => {
  expect(settingFieldOf('method', engines)?.title).toBe('Method');
  expect(settingFieldOf('loud.kind', engines)?.title).toBe('LOUD: Kind');
  expect(settingFieldOf('loud.kin', engines)).toBeUndefined();
});

test('the engines of an experiment are those of its targets, however these are named', () => {
  const connections = [{ name: 'staging', engine: 'loud' }];
  const ids = (targets: readonly unknown[]) => enginesIn({ targets }, engines, connections).map(({ id }) => id);
  expect(ids(['quiet-one'])).toEqual(['quiet']);
  expect(ids(['staging', 'quiet-one'])).toEqual(['loud', 'quiet']);
  expect(ids([{ name: 'x', engine: 'loud' }])).toEqual(['loud']);
  expect(ids(['nobody', 7])).toEqual([]);
});

test('a comparison begins with two values that the engine takes', () => {
  const levels = optionFields(loud).map((field) => firstLevels(field));
  expect(levels).toEqual([
    [2_048, 4_096],
    [true, false],
    ['heap', 'tree'],
    ['none', 'none2'],
  ]);
  expect(levelOf({ isBoolean: false }, 'true')).toBe('true');
});

test('options within settings are seen and written where the file has them', () => {
  expect(flatSettings({ method: 'bulk', options: { 'loud.kind': 'tree' } })).toEqual({
    method: 'bulk',
    'loud.kind': 'tree',
  });
  expect(settingPath('loud.kind')).toEqual(['options', 'loud.kind']);
  expect(settingPath('method')).toEqual(['method']);
  expect(variedBy('storage', { a: { options: { 'loud.kind': 'tree' } }, b: { method: 'bulk' } })).toEqual([
    'loud.kind',
    'method',
  ]);
});
