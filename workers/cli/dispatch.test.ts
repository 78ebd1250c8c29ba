import { expect, it } from 'vitest';
import { DynoError, type ErrorKind } from '#model/error.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import type { Command } from './command.ts';
import { dispatch } from './dispatch.ts';

const failingWith = (thrown: Error): Command => ({
  name: 'fail',
  arguments: '',
  summary: 'Fails.',
  options: {},
  takes: [0, 0],
  run: () => Promise.reject(thrown),
});

it.each<[ErrorKind, number]>([
  ['permission', exitCodes.targetUnreachable],
  ['fileAccess', exitCodes.runStopped],
  ['badInput', exitCodes.badExperiment],
])('tells a server that refuses from a home that cannot be written: %s', async (kind, code) => {
  expect(await dispatch([failingWith(new DynoError(kind, 'no'))], ['fail'])).toBe(code);
});

it('reports a refusal of the operating system as a problem of this machine', async () => {
  const refused = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  expect(await dispatch([failingWith(refused)], ['fail'])).toBe(exitCodes.runStopped);
});
