import { expect, test } from 'vitest';
import { hostFactsOf, hostSecondOf } from '#analysis/server/host-seconds.fixture.ts';
import type { LoadHost } from '#load-hosts/load-host.ts';
import { localHost } from '#load-hosts/local-host.ts';
import type { SecondListener } from '#load-hosts/machine/host-sampler.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { HostWorkers } from '../worker/clients.ts';
import type { TrialWork } from './trial-context.ts';
import { placeHosts, watchTrialHosts } from './trial-hosts.ts';

const server = (name: string, endsHere: boolean | null, descriptor = {}) =>
  ({ planned: { name }, endsHere, descriptor }) as unknown as TrialWork['control'];

const agent = (name: string, workers: number): HostWorkers => ({ host: { ...localHost, name }, workers });

function placed(
  control: TrialWork['control'],
  {
    hosts,
    ends = [],
    tunnelled = false,
    source = null,
  }: {
    readonly hosts?: readonly HostWorkers[];
    readonly ends?: readonly (boolean | null)[];
    readonly tunnelled?: boolean;
    readonly source?: TrialWork['control'] | null;
  } = {},
) {
  const variant = { settings: { connections: 8, processes: 2 } } as TrialWork['variant'];
  const found = placeHosts({ control, sourceControl: source, variant }, hosts, ends, tunnelled);
  return {
    hosts: found.placed.map(({ facts: { name, workers, serverOf } }) => [name, workers, serverOf.join()]),
    unmeasured: found.unmeasured.map(({ target, why }) => `${target}: ${why}`),
  };
}

test('a server at which connections of this machine end is on this machine', () => {
  expect(placed(server('pg', true))).toEqual({ hosts: [['local', 2, 'pg']], unmeasured: [] });
});

test('a server elsewhere, behind a tunnel or out of sight has no host, with the reason', () => {
  const alone = [['local', 2, '']];
  expect(placed(server('pg', false))).toEqual({ hosts: alone, unmeasured: ['pg: elsewhere'] });
  expect(placed(server('pg', null), { tunnelled: true })).toEqual({ hosts: alone, unmeasured: ['pg: tunnel'] });
  expect(placed(server('pg', null))).toEqual({ hosts: alone, unmeasured: ['pg: unknown'] });
});

test('a server is on the load host at whose connections it ends', () => {
  const hosts = [agent('load1', 2), agent('load2', 1)];
  expect(placed(server('pg', false), { hosts, ends: [false, false, true] })).toEqual({
    hosts: [
      ['load1', 2, ''],
      ['load2', 1, 'pg'],
    ],
    unmeasured: [],
  });
});

test('this machine is measured for its server, also if all of the load comes from others', () => {
  expect(placed(server('pg', true), { hosts: [agent('load1', 2)], ends: [false, false] }).hosts).toEqual([
    ['load1', 2, ''],
    ['local', 0, 'pg'],
  ]);
});

test('an engine in the client process is where the clients are, and a reference is nowhere', () => {
  expect(placed(server('lite', null, { inProcess: true }), { hosts: [agent('load1', 1)], ends: [null] })).toEqual({
    hosts: [['load1', 1, 'lite']],
    unmeasured: [],
  });
  expect(placed(server('none', null, { inProcess: true, reference: true }))).toEqual({
    hosts: [['local', 2, '']],
    unmeasured: [],
  });
});

test('the source of a copy is one of the servers', () => {
  expect(placed(server('pg', true), { source: server('my', true) }).hosts).toEqual([['local', 2, 'pg,my']]);
});

test('seconds that began before the measured phase are left out', () => {
  const written: JournalRecord[] = [];
  let tell: SecondListener = () => {};
  let watched = 0;
  const host: LoadHost = {
    ...localHost,
    watchMachine(onSecond) {
      tell = onSecond;
      watched++;
      const end = () => void watched--;
      return { end, [Symbol.dispose]: end };
    },
  };
  using watch = watchTrialHosts({
    trial: { number: 3 },
    write: (record: JournalRecord) => written.push(record),
  } as unknown as TrialWork);
  watch.begin({ placed: [{ host, facts: hostFactsOf() }], unmeasured: [] });
  const now = process.hrtime.bigint();
  tell(hostSecondOf(), now + 400_000_000n);
  tell(hostSecondOf(), now + 1_200_000_000n);
  expect(written.map(({ record }) => record)).toEqual(['hosts', 'hostSecond']);
  expect(written[1]).toMatchObject({ trial: 3, host: 'local' });
  watch.end();
  expect(watched).toBe(0);
});
