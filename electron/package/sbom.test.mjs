import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { bomOf } from './sbom.mjs';

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
  expect(metadata.component).toMatchObject({ name: 'dyno', version: '0.1.0', licenses: [{ expression: 'MIT' }] });
  expect(components).toEqual([
    {
      type: 'library',
      'bom-ref': 'pkg:npm/%40db/driver@1.2.3',
      name: '@db/driver',
      version: '1.2.3',
      purl: 'pkg:npm/%40db/driver@1.2.3',
      licenses: [{ expression: 'Apache-2.0' }],
      hashes: [{ alg: 'SHA-512', content: createHash('sha512').update('x').digest('hex') }],
    },
    {
      type: 'platform',
      'bom-ref': 'pkg:generic/electron@45.4.1',
      name: 'electron',
      version: '45.4.1',
      purl: 'pkg:generic/electron@45.4.1',
      licenses: [{ expression: 'MIT' }],
      externalReferences: [{ type: 'website', url: 'https://www.electronjs.org' }],
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
