import type { ServerKind } from '#managed-servers/process/server-kind.ts';
import { ravendb, ravendb7 } from '#managed-servers/servers/ravendb/ravendb.ts';
import { givenOrTestServer, startTestServer as startManagedServer } from '#managed-servers/test-server.fixture.ts';
import { DynoError } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import type { StartTestServer, TestServer } from '../conformance/test-server.ts';
import { config, type RavenConfig } from './config.ts';
import { connect } from './connection/connect.ts';
import { readOptions } from './options.ts';
import { ensureDatabase } from './schema/tables.ts';
import { typedValues } from './typed-values.fixture.ts';

export const alternatives: readonly Options[] = [
  { api: 'command', scan: 'pages', index: 'static', indexWhen: 'beforeLoad', waitForNonStale: true, dates: 'ticks' },
  { indexWhen: 'beforeLoad', waitForNonStale: true, dates: 'text' },
];

/**
 * DYNO_TEST_RAVENDB=http://host:port/database names a server that is not secured; without it one is started, which is.
 */
export const startTestServer: StartTestServer = async () => conforming(await givenOrTestServer(ravendb));

export const otherServers: Readonly<Record<string, StartTestServer>> = {
  'RavenDB 7.2': async () => conforming(await startOrSkip(ravendb7)),
};

async function startOrSkip(kind: ServerKind) {
  const missing = await kind.missing();
  if (missing) throw new DynoError('unsupported', `${missing.what}.`, { hint: missing.fix });
  return startManagedServer(kind);
}

async function conforming(server: AsyncDisposable & Pick<TestServer, 'raw'>): Promise<TestServer> {
  const parsed = config.parse(server.raw) as RavenConfig;
  const { link, version } = await connect(parsed, { tag: 'test-fixture', options: readOptions({}) });
  await ensureDatabase(link); // takes a while on a new server
  const write = (command: object) =>
    link.ask({ method: 'POST', path: '/bulk_docs', body: JSON.stringify({ Commands: [command] }) });
  const id = (name: string) => `others/${name}`;
  return {
    raw: server.raw,
    values: typedValues,
    ...(Number.parseInt(version, 10) < 5 && { noSizes: 'RavenDB tells the size of a collection since 5.0.' }),
    slow: { raw: server.raw, method: 'bind', rows: 1 },
    foreign: {
      create: async (name) =>
        void (await write({
          Type: 'PUT',
          Id: id(name),
          ChangeVector: null,
          Document: { x: 1, '@metadata': { '@collection': name } },
        })),
      async count(name) {
        const { Collections: found } = (await link.ask({ path: '/collections/stats' })) as {
          readonly Collections: Readonly<Record<string, number>>;
        };
        return found[name] ?? 0;
      },
      drop: async (name) => void (await write({ Type: 'DELETE', Id: id(name), ChangeVector: null })),
    },
    async [Symbol.asyncDispose]() {
      link.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
