import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { findEngine } from './catalog.ts';
import { loadEngine } from './load.ts';
import { makeCertificates, openssl } from './shared/certificates.fixture.ts';
import { failureOf } from './shared/failure.fixture.ts';

/** Files that a target names: nothing that has no end, or waits for ever, is opened or read whole. */

const nobody = { host: '127.0.0.1', port: 1, connectTimeoutMs: 1_000 };
const postgres = { ...nobody, ssl: 'verify-full' };

interface Case {
  readonly engine: string;
  readonly field: string;
  readonly raw: (file: string, pem: Readonly<Record<'cert' | 'key', string>>) => Readonly<Record<string, unknown>>;
}
const cases: readonly Case[] = [
  { engine: 'postgres', field: 'ca', raw: (ca) => ({ ...postgres, ca }) },
  { engine: 'postgres', field: 'cert', raw: (cert, { key }) => ({ ...postgres, cert, key }) },
  { engine: 'postgres', field: 'key', raw: (key, { cert }) => ({ ...postgres, cert, key }) },
  { engine: 'mysql', field: 'ca', raw: (ca) => ({ ...postgres, ca }) },
  { engine: 'mysql', field: 'cert', raw: (cert, { key }) => ({ ...postgres, cert, key }) },
  { engine: 'mysql', field: 'key', raw: (key, { cert }) => ({ ...postgres, cert, key }) },
  { engine: 'drda', field: 'ca', raw: (ca) => ({ ...postgres, database: 'd', ca }) },
  { engine: 'sqlserver', field: 'ca', raw: (ca) => ({ ...nobody, ca }) },
  { engine: 'mongodb', field: 'tlsCAFile', raw: (tlsCAFile) => ({ ...nobody, tlsCAFile }) },
  {
    engine: 'mongodb',
    field: 'tlsCertificateKeyFile',
    raw: (tlsCertificateKeyFile) => ({ ...nobody, tlsCertificateKeyFile }),
  },
  {
    engine: 'mongodb',
    field: 'uriOptions.tlsCRLFile',
    raw: (tlsCRLFile) => ({ ...nobody, tls: 'verify-full', uriOptions: { tlsCRLFile } }),
  },
  {
    engine: 'ravendb',
    field: 'certificate',
    raw: (certificate) => ({ url: 'https://127.0.0.1:1', certificate, connectTimeoutMs: 1_000 }),
  },
];

let folder = '';
let pem: Readonly<Record<'cert' | 'key', string>>;
let both = '';
beforeTests(async (opened) => {
  folder = temporaryFolder(opened);
  symlinkSync('/dev/zero', join(folder, 'link'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  mkdirSync(join(folder, 'folder'));
  const sparse = openSync(join(folder, 'huge'), 'w');
  ftruncateSync(sparse, 5_000_000_000);
  closeSync(sparse);
  const made = opened.use(makeCertificates());
  pem = made.client;
  both = made.both;
});

/** The paths of what is no file to read, with what is said of each. */
const strange: readonly (readonly [string, (folder: string) => string, RegExp])[] = [
  ['a device', () => '/dev/zero', /is a device/],
  ['a link to a device', (within) => join(within, 'link'), /is a device/],
  ['a pipe', (within) => join(within, 'pipe'), /is a pipe/],
  ['a folder', (within) => join(within, 'folder'), /is a folder/],
  ['5 GB', (within) => join(within, 'huge'), /is larger than 977.KiB/],
];

describe.skipIf(process.platform === 'win32' || openssl === null)('a target that names as a file', () => {
  describe.each(strange)('%s', (_, pathIn, says) => {
    test.each(cases)('$engine $field', async ({ engine, field, raw }) => {
      expect(await failure(engine, raw(pathIn(folder), pem))).toMatchObject({
        kind: 'badInput',
        message: expect.stringMatching(new RegExp(`${field}: .*${says.source}`)),
      });
    });

    test('ravendb ca', async () => {
      const raw = { url: 'https://127.0.0.1:1', certificate: both, ca: pathIn(folder), connectTimeoutMs: 1_000 };
      expect(await failure('ravendb', raw)).toMatchObject({ kind: 'badInput', message: expect.stringMatching(says) });
    });

    test.each(['walletLocation', 'connectString'])('oracle, a wallet of %s', async (by) => {
      const wallet = temporaryFolder();
      symlinkSync(pathIn(folder), join(wallet, 'ewallet.pem'));
      const named = by === 'connectString' ? `?wallet_location=${wallet}` : '';
      const raw = { user: 'u', connectString: `tcps://127.0.0.1:1/s${named}`, connectTimeoutMs: 1_000 };
      expect(await failure('oracle', by === 'connectString' ? raw : { ...raw, walletLocation: wallet })).toMatchObject({
        kind: 'badInput',
        message: expect.stringMatching(says),
      });
    });
  });
});

async function failure(engine: string, raw: Readonly<Record<string, unknown>>) {
  const loaded = await loadEngine(engine);
  const parsed = findEngine(engine)!.config.parse(raw);
  return failureOf(loaded)(loaded.open(parsed, 'dyno-files', new AbortController().signal));
}
