import { expect, it } from 'vitest';
import { isSame, readServerParameters } from './server-parameters.ts';

it.each([
  ['1G', '1073741824', true],
  ['134217728', '134217728', true],
  ['100M', '134217728', false],
  ['true', 'ON', true],
  ['0', 'OFF', true],
  ['off', 'ON', false],
  ['90', '90.000000', true],
  ['o_direct', 'O_DIRECT', true],
  ['fsync', 'O_DIRECT', false],
])('%s is what the server writes as %s: %s', (asked, found, same) => {
  expect(isSame(asked, found)).toBe(same);
});

it('tells each value, and that of one the server does not know is null and not what was asked for', async () => {
  const query = async () => ({ rows: [['innodb_buffer_pool_size', '134217728']] });
  const asked = { innodb_buffer_pool_size: '1G', sync_binlog: '1', key_buffer_size: null };
  expect(await readServerParameters({ query } as never, asked)).toEqual({
    innodb_buffer_pool_size: { value: '128 MiB', isAsked: false },
    sync_binlog: { value: null, isAsked: false },
    key_buffer_size: { value: null, isAsked: true },
  });
});
