import { expect, test } from 'vitest';
import {
  assignmentOf,
  keysOf,
  sizesOf,
  type TypedDifference,
  titleOfDifference,
  withDifference,
} from './difference.ts';

const text = `dyno: 1
name: Reads
question: How fast?
dataset: { rows: 1000, columns: { id: serial } }
workload: { operation: readByKey, connections: 2 }
statements: { s: SELECT 1 }
measure: { repeats: 3, until: { seconds: 2 } }
sizes: { large: { dataset: { rows: 100000 } } }
targets: [postgres]
`;
const typed = (more: Partial<TypedDifference>): TypedDifference => ({
  ...{ kind: 'value', key: '', name: '', value: '' },
  ...more,
});

test('offers the single values of the file, and its sizes', () => {
  expect(keysOf(text)).toContainEqual({ key: 'workload.connections', value: '2' });
  expect(keysOf(text)).toContainEqual({ key: 'measure.until.seconds', value: '2' });
  expect(keysOf(text).map(({ key }) => key)).not.toContain('statements.s');
  expect(sizesOf(text)).toEqual(['large']);
});

test('each kind of difference is one override, and an unfinished one is none', () => {
  const assigned = (more: Partial<TypedDifference>) => assignmentOf(typed(more), text);
  expect(assigned({ key: 'workload.connections', value: ' 8 ' })).toBe('workload.connections=8');
  expect(assigned({ kind: 'size', value: 'large' })).toBe('size=large');
  expect(assigned({ kind: 'target', value: 'mysql' })).toBe('targets=["postgres","mysql"]');
  expect(assigned({ kind: 'session', key: 'postgres', name: 'work_mem', value: '64MB' })).toBe(
    'session.postgres.work_mem=64MB',
  );
  // The names of some parameters have a dot.
  expect(assigned({ kind: 'server', key: 'postgres', name: 'auto_explain.log', value: 'on' })).toBe(
    'server.postgres["auto_explain.log"]=on',
  );
  for (const more of [
    { value: '8' },
    { key: 'workload.connections' },
    { kind: 'session', key: 'postgres', value: '1' },
  ])
    expect(assigned(more as Partial<TypedDifference>)).toBeNull();
});

test('the experiment has the difference, or the reason why it has none', () => {
  expect(withDifference(text, 'workload.connections=8').text).toContain('connections: 8');
  expect(withDifference(text, 'targets=["postgres","mysql"]').text).toMatch(/targets: \[ ?"?postgres"?, "?mysql"? ?\]/);
  expect(withDifference(text, 'workload.connections=2').problem).toContain('already');
  expect(withDifference(text, 'workload.conections=2').problem).toContain('workload.connections');
  expect(titleOfDifference(typed({ key: 'workload.connections', value: '8' }))).toBe('workload.connections 8');
});
