import { createHash } from 'node:crypto';
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import parseSpdx from 'spdx-expression-parse';

const licences = new Contrib.License.Factories.LicenseFactory(parseSpdx);
const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));

/**
 * The software bill of materials of a package, as the text of a CycloneDX 1.6 file (ECMA-424). `components` are records
 * of a lock file with their names, and what npm does not list: { name, version?, license, url?, within?, integrity?,
 * description? }. The same content makes the same text.
 */
export function bomText({ name, version, license }, components) {
  const licenses = licencesOf(license);
  const app = new Models.Component(Enums.ComponentType.Application, name, { bomRef: name, version, licenses });
  const unique = new Map(components.map((one) => [purlOf(one), componentOf(one)])).values();
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: app }),
    components: new Models.ComponentRepository(unique),
  });
  const text = () => `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
  bom.serialNumber = `urn:uuid:${uuidOf(createHash('sha256').update(text()).digest('hex'))}`;
  return text();
}

const purlOf = ({ name, version, integrity, path }) =>
  `pkg:${path || integrity ? 'npm' : 'generic'}/${name.replace('@', '%40')}${version === undefined ? '' : `@${version}`}`;

function componentOf(one) {
  const { name, version, license, integrity, path, url, within, description } = one;
  const { Library, Platform } = Enums.ComponentType;
  const website = url ? [new Models.ExternalReference(url, Enums.ExternalReferenceType.Website)] : [];
  return new Models.Component(path || within ? Library : Platform, name, {
    bomRef: purlOf(one),
    version,
    description: description ?? (within && `Inside of ${within}`),
    purl: purlOf(one),
    licenses: licencesOf(license),
    hashes: new Models.HashDictionary(integrity ? [hashOf(integrity)] : []),
    externalReferences: new Models.ExternalReferenceRepository(website),
  });
}

const licencesOf = (license) => new Models.LicenseRepository(license ? [licences.makeFromString(license)] : []);

/**
 * The algorithm and the hexadecimal digits of a lock file's "sha512-<base64>".
 *
 * @returns {[any, string]}
 */
function hashOf(integrity) {
  const [algorithm, content] = integrity.split('-');
  return [algorithm.replace('sha', 'SHA-'), Buffer.from(content, 'base64').toString('hex')];
}

/** A UUID of version 8 (RFC 9562), whose bits are ours to choose, of a hash. */
const uuidOf = (hex) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
