import { expect, test, vi } from 'vitest';
import { configWithTls } from '#engine-api/config.ts';
import type { Engine } from '#engine-api/engine.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import { findEngine } from '#engines/catalog.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { loadEngine } from '#engines/load.ts';
import { failureOf } from '#engines/shared/failure.fixture.ts';
import { requireKind } from '#managed-servers/servers/kinds.ts';
import { findOpenssl, makeServerCertificate } from '#managed-servers/servers/server-certificate.ts';
import { sharedTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';

/** The managed servers have a certificate of Dyno's own CA, and their clients choose. */

vi.setConfig({ testTimeout: 120_000 });

const signal = new AbortController().signal;
const kinds = ['embedded-postgres', 'local-mariadb', 'local-mongodb'];
const here = kinds.filter((id) => findOpenssl() !== null && !isSkipped(id) && !isSkipped(requireKind(id).engine));

/** The TLS of a new session, as the server or its socket tells it. */
async function tlsOfSession(
  engine: Engine,
  { raw }: Pick<TestServer, 'raw'>,
  tls: 'default' | 'off' | 'on',
): Promise<string | null | undefined> {
  const { descriptor, config } = findEngine(engine.descriptor.id)!;
  await using database = await engine.open(configWithTls(config, config.parse(raw), tls), 'dyno-tls', signal);
  await using session = await database.openSession(optionsFor(descriptor, defaultSettings));
  return await session.readTls?.();
}

test.for(kinds)('%s: a session has the TLS that its variant asks for', async (id, { skip }) => {
  if (!here.includes(id) || (await requireKind(id).missing())) skip('This server does not run here.');
  await using server = await sharedTestServer(requireKind(id));
  const engine = await loadEngine(requireKind(id).engine);
  expect(await tlsOfSession(engine, server, 'default')).toBe('off');
  expect(await tlsOfSession(engine, server, 'off')).toBe('off');
  expect(await tlsOfSession(engine, server, 'on')).toMatch(/^TLSv1\.[23] [A-Z0-9_-]+$/);
});

test.for(kinds)('%s: a certificate of another CA is refused', async (id, { skip }) => {
  if (!here.includes(id) || (await requireKind(id).missing())) skip('This server does not run here.');
  await using server = await sharedTestServer(requireKind(id));
  const engine = await loadEngine(requireKind(id).engine);
  const other = await makeServerCertificate(`${temporaryFolder()}/tls`, null, () => {});
  const name = 'tlsCAFile' in server.raw ? 'tlsCAFile' : 'ca';
  const stranger = { raw: { ...server.raw, [name]: other!.ca } };
  expect(await failureOf(engine)(tlsOfSession(engine, stranger, 'on'))).toMatchObject({ kind: 'tls' });
});
