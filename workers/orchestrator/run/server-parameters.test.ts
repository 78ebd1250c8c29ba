import { expect, test } from 'vitest';
import { DynoError } from '#model/error.ts';
import { ensureHome, homeOf } from '#platform/paths.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import type { ControlRequest } from '#protocol/messages.ts';
import type { Control } from '../worker/control.ts';
import { holdTables } from './leftovers.ts';
import { setParameters } from './server-parameters.ts';

test('a value that the server has rounded is noted, although the run was cancelled while it changed', async () => {
  const home = homeOf({ DYNO_HOME: temporaryFolder() });
  ensureHome(home);
  using held = holdTables(home, '0000beef');
  const cancel = new AbortController();
  let entry = '4096';
  const control = {
    planned: { name: 'mine' },
    descriptor: { serverParameters: {} },
    connect: async () => ({ place: 'server', mark: null }),
    async ask({ call }: ControlRequest, signal: AbortSignal) {
      signal.throwIfAborted();
      if (call === 'parameterStates') return { size: { value: entry, entry, refusal: null } };
      entry = '8192';
      cancel.abort();
      throw new DynoError('cancelled', 'Cancelled.');
    },
  } as unknown as Control;
  const set = { parameters: { size: '9000' }, asked: { size: '9000' } };
  await expect(setParameters(home, held, control, set, cancel.signal)).rejects.toThrow('Cancelled.');
  expect(held.parametersAt('server')).toEqual({ size: { before: '4096', set: ['9000', '8192'] } });
});

test('a server that turns out to be one of production after the login is asked for nothing', async () => {
  const home = homeOf({ DYNO_HOME: temporaryFolder() });
  ensureHome(home);
  using held = holdTables(home, '0000beef');
  const calls: string[] = [];
  const control = {
    planned: { name: 'mine' },
    descriptor: { serverParameters: {} },
    connect: async () => ({ place: 'server', mark: { production: {}, of: ['billing'] } }),
    ask: async ({ call }: ControlRequest) => calls.push(call),
  } as unknown as Control;
  const set = { parameters: { size: '9000' }, asked: { size: '9000' } };
  await expect(setParameters(home, held, control, set, new AbortController().signal)).rejects.toMatchObject({
    data: { kind: 'notConfirmed', message: 'mine: Dyno changes no parameters of a production server.' },
  });
  expect(calls).toEqual([]);
  expect(held.parametersAt('server')).toEqual({});
});
