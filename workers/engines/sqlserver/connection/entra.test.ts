import type { Socket } from 'node:net';
import { beforeEach, expect, test, vi } from 'vitest';
import { listening } from '#platform/listening.fixture.ts';
import { failureOf } from '../../shared/failure.fixture.ts';
import { config } from '../config.ts';
import { engine } from '../engine.ts';

/** Stands for the cloud's library, before the driver loads it: the real one asks addresses of the cloud. */
const cloud = vi.hoisted(() => ({ made: [] as string[], scopes: [] as string[] }));
vi.hoisted(() => {
  const load = process.getBuiltinModule('node:module').createRequire(`${process.cwd()}/`);
  const credential = (name: string) =>
    class {
      constructor() {
        cloud.made.push(name);
      }
      async getToken(scope: string) {
        cloud.scopes.push(scope);
        return { token: 'c4nary-token', expiresOnTimestamp: Date.now() + 60_000 };
      }
    };
  const names = [
    'DefaultAzureCredential',
    'ManagedIdentityCredential',
    'ClientSecretCredential',
    'UsernamePasswordCredential',
  ];
  const file = load.resolve('@azure/identity');
  load.cache[file] = {
    id: file,
    filename: file,
    loaded: true,
    exports: Object.fromEntries(names.map((name) => [name, credential(name)])),
  } as unknown as NodeJS.Module;
});

beforeEach(() => {
  cloud.made = [];
  cloud.scopes = [];
});

const packet = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([4, 1, (body.length + 8) >> 8, (body.length + 8) & 0xff, 0, 0, 1, 0]), body]);

/** Version, no encryption, a login by Entra is asked for (MS-TDS, "PRELOGIN"). */
const prelogin = packet(
  Buffer.from([...[0, 0, 16, 0, 6, 1, 0, 22, 0, 1, 6, 0, 23, 0, 1, 0xff], ...[16, 0, 0, 0, 0, 0, 2, 1]]),
);

/** The place that gives tokens, and the resource that one is to be for (MS-TDS, "FEDAUTHINFO"). */
function fedAuthInfo(resource: string): Buffer {
  const parts = ['https://login.example/', resource].map((text) => Buffer.from(text, 'utf16le'));
  const heads = 4 + 2 * 9;
  const body = Buffer.alloc(heads);
  body.writeUInt32LE(2, 0);
  let offset = heads;
  for (const [at, part] of parts.entries()) {
    body.writeUInt8(at + 1, 4 + at * 9);
    body.writeUInt32LE(part.length, 5 + at * 9);
    body.writeUInt32LE(offset, 9 + at * 9);
    offset += part.length;
  }
  const all = Buffer.concat([body, ...parts]);
  const head = Buffer.alloc(5);
  head.writeUInt8(0xee, 0);
  head.writeUInt32LE(all.length, 1);
  return packet(Buffer.concat([head, all]));
}

/** Logs in at a server that asks for a token for `resource`; returns the error, and what the server got for it. */
async function login(authentication: string, resource: string) {
  const got: Buffer[] = [];
  await using server = await listening((socket: Socket) => {
    let messages = 0;
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      messages++;
      if (messages === 1) socket.write(prelogin);
      else if (messages === 2) socket.write(fedAuthInfo(resource));
      else {
        got.push(bytes);
        socket.destroy();
      }
    });
  });
  const parsed = config.parse({
    ...{ host: '127.0.0.1', port: server.port, encrypt: 'false', authentication, connectTimeoutMs: 5_000 },
    ...(authentication.endsWith('password') && { user: 'u', password: 'p', clientId: 'c' }),
    ...(authentication.endsWith('secret') && { clientSecret: 's', tenantId: 't', clientId: 'c' }),
  });
  const error = await failureOf(engine)(engine.open(parsed, 'dyno-entra', new AbortController().signal));
  return { error, got: Buffer.concat(got).toString('utf16le') };
}

const byToken = [
  ['azure-active-directory-default', 'DefaultAzureCredential'],
  ['azure-active-directory-msi-vm', 'ManagedIdentityCredential'],
  ['azure-active-directory-msi-app-service', 'ManagedIdentityCredential'],
  ['azure-active-directory-service-principal-secret', 'ClientSecretCredential'],
  ['azure-active-directory-password', 'UsernamePasswordCredential'],
] as const;

test.each(byToken)('%s gets a token for a database, and sends it', async (authentication, credential) => {
  const { got } = await login(authentication, 'https://database.windows.net/');
  expect(cloud.made).toEqual([credential]);
  expect(cloud.scopes).toEqual(['https://database.windows.net/.default']);
  expect(got).toContain('c4nary-token');
});

test.each(byToken)(
  '%s makes no credential for a resource that the server has chosen elsewhere',
  async (authentication) => {
    for (const resource of [
      ...['https://graph.microsoft.com/', 'https://vault.azure.net', 'https://database.windows.net.evil.example/'],
      ...['https://database.windows.net@evil.example/', 'http://database.windows.net/', 'nothing'],
    ]) {
      const { error, got } = await login(authentication, resource);
      expect(error).toMatchObject({ kind: 'authentication', message: expect.stringContaining('no database') });
      expect(got).not.toContain('c4nary-token');
    }
    expect(cloud.made).toEqual([]);
  },
);

test('a login that names no identity of this machine makes no credential, whatever the server asks for', async () => {
  const { got } = await login('sql', 'https://database.windows.net/');
  expect(cloud.made).toEqual([]);
  expect(got).not.toContain('c4nary-token');
});
