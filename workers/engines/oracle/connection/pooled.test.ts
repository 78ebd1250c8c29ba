import { expect, test } from 'vitest';
import { isPooled } from './connect.ts';

test.each([
  ['db.example.com:1521/sales', false],
  ['db.example.com:1521/sales:pooled', true],
  ['tcps://db.example.com/sales:POOLED/inst1', true],
  ['(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=h)(PORT=1))(CONNECT_DATA=(SERVICE_NAME=s)(SERVER = pooled)))', true],
  [
    '(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=pooled)(PORT=1))(CONNECT_DATA=(SERVICE_NAME=s)(SERVER=dedicated)))',
    false,
  ],
])('%s asks for a process of the pool: %s', (connectString, pooled) => {
  expect(isPooled({ connectString })).toBe(pooled);
});
