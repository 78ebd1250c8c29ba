import { expect, it } from 'vitest';
import { defaultSettings } from '#model/settings/settings.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import type { EngineDescriptor } from '../descriptor.ts';
import { optionsFor } from './engine-options.ts';

const cell = { implementation: 'one row', maxRowsPerCall: 1 };
const engine = (id: string, more: Partial<EngineDescriptor> = {}): EngineDescriptor => ({
  id,
  label: id,
  driver: id,
  support: { insert: { prepared: cell, bind: cell } },
  unsupportedReasons: {},
  uuids: { implementation: 'uuid', order: 'bytes' },
  cancel: 'none',
  maxConnections: null,
  config: [],
  builtIn: [{ target: id, label: id, about: id }],
  ...more,
});
const catalog = [
  engine('big', {
    options: [
      { name: 'packetSize', label: 'Packet', help: 'Bytes.', defaultValue: 4096, min: 512, max: 32767 },
      { name: 'table', label: 'Table', help: 'Kind.', defaultValue: 'heap', choices: ['heap', 'iot'] },
      {
        name: 'nullType',
        label: 'Null',
        help: 'Type.',
        defaultValue: 'column',
        choices: ['column', 'float'],
        cells: ['bind'],
      },
    ],
  }),
  engine('small'),
];

const plan = (rest: string) => {
  const text = `dyno: 1
name: options
question: which?
dataset: { rows: 10, columns: { id: { type: sequence } } }
targets: [big, small]
${rest}`;
  const { plan, diagnostics } = planExperiment(parseFile(text), { catalog });
  return { plan, problems: diagnostics };
};
const problem = (rest: string) =>
  plan(rest).problems.map(({ message, suggestion, line }) => `${line}: ${message} ${suggestion}`)[0];

it('an engine gets its own options alone, by their short names, with defaults', () => {
  const settings = { ...defaultSettings, options: { 'big.packetSize': 512, 'small.x': 1 } };
  expect(optionsFor(catalog[0]!, settings)).toEqual({ packetSize: 512, table: 'heap', nullType: 'column' });
  expect(optionsFor(catalog[1]!, settings)).toEqual({});
});

it('a factor named after an option runs once on engines that do not have it', () => {
  const { plan: planned } = plan('workload: { method: prepared }\nfactors: { big.packetSize: [512, 4096] }');
  expect(planned!.variants.map(({ settings }) => settings.options)).toEqual([
    { 'big.packetSize': 512 },
    { 'big.packetSize': 4096 },
  ]);
  expect(planned!.skipped).toEqual([
    {
      variant: 'big.packetSize=4096',
      target: 'small',
      reason: 'Same as “big.packetSize: 512” on small: big.packetSize does not matter there.',
      sameAs: 'big.packetSize=512',
    },
  ]);
});

it('options of workload and bundles add up', () => {
  const { plan: planned } = plan(`workload: { options: { big.packetSize: 512, big.table: heap } }
factors:
  kind:
    heap: {}
    iot: { options: { big.table: iot } }`);
  expect(planned!.variants.map(({ settings }) => settings.options)).toEqual([
    { 'big.packetSize': 512, 'big.table': 'heap' },
    { 'big.packetSize': 512, 'big.table': 'iot' },
  ]);
});

it('two factors may set different options, and not the same one', () => {
  const twoKinds = (other: string) =>
    plan(`workload: {}
factors:
  big.packetSize: [512]
  kind: { iot: { options: { ${other}: ${other === 'big.table' ? 'iot' : 600} } } }`);
  expect(twoKinds('big.table').problems).toEqual([]);
  expect(twoKinds('big.packetSize').problems[0]?.message).toContain('varied by `big.packetSize` already');
});

it('an option without effect on a cell makes its levels the same', () => {
  const { plan: planned } = plan('workload: {}\nfactors: { method: [prepared, bind], big.nullType: [column, float] }');
  expect(planned!.skipped.filter(({ target }) => target === 'big').map(({ variant }) => variant)).toEqual([
    'method=prepared big.nullType=float',
  ]);
});

it.each([
  ['workload: {}\nfactors: { big.packetSise: [512] }', 'big.packetSize'],
  ['workload: {}\nfactors: { bug.packetSize: [512] }', 'big.packetSize'],
  ['workload: {}\nfactors: { big.packetSize: [512, 99] }', '7: `big.packetSize` must be a whole number from 512'],
  ['workload: { options: { big.table: hep } }', '6: `big.table` must be one of heap, iot; found `hep`'],
  ['workload: { options: { packetSize: 512 } }', '`packetSize` is not of the form engine.option'],
  ['workload:\n  options:\n    big.packetSize: 512.5', '8: `big.packetSize` must be a whole number'],
  ['workload: {}\nfactors: { small: { one: { options: { small.x: 1 } } } }', 'It has none.'],
])('%j is refused where it stands', (rest, expected) => {
  expect(problem(rest)).toContain(expected);
});
