import { expect, it } from 'vitest';
import { isNewEnough } from './node.mjs';

it('takes a Node that can ask what an SQLite statement may do', () => {
  expect(['20.20.2', '22.22.0', '24.9.0', '24.10.0', '24.21.0', '26.0.0'].map(isNewEnough)).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
  ]);
});
