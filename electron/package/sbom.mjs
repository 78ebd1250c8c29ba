import { createHash } from 'node:crypto';

/**
 * The software bill of materials of a package, in CycloneDX 1.6 (ECMA-424). `components` are records of a lock file
 * with their names, and what npm does not list: { name, version?, license, url?, within?, integrity?, description? }.
 * The same content makes the same file.
 */
export function bomOf({ name, version, license }, components) {
  const sorted = [...new Map(components.map((one) => [`${one.name}@${one.version}`, one])).values()].sort((a, b) =>
    `${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1,
  );
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'dyno', name, version, ...licencesOf(license) } },
    components: sorted.map(componentOf),
  };
  const digest = createHash('sha256').update(JSON.stringify(bom)).digest('hex');
  return { ...bom, serialNumber: `urn:uuid:${uuidOf(digest)}` };
}

function componentOf({ name, version, license, integrity, path, url, within, description }) {
  const isNpm = path || integrity;
  const purl = `pkg:${isNpm ? 'npm' : 'generic'}/${name.replace('@', '%40')}${version === undefined ? '' : `@${version}`}`;
  return {
    type: path || within ? 'library' : 'platform',
    'bom-ref': purl,
    name,
    ...(version === undefined ? {} : { version }),
    ...(within || description ? { description: description ?? `Inside of ${within}` } : {}),
    purl,
    ...licencesOf(license),
    ...(integrity ? { hashes: [hashOf(integrity)] } : {}),
    ...(url ? { externalReferences: [{ type: 'website', url }] } : {}),
  };
}

/** npm's "SEE LICENSE IN file" is no SPDX expression. */
const licencesOf = (license) =>
  license === undefined
    ? {}
    : {
        licenses: [
          /^[A-Za-z0-9.+() -]+$/.test(license) && !/^see /i.test(license)
            ? { expression: license }
            : { license: { name: license } },
        ],
      };

/** "sha512-<base64>" of a lock file. */
function hashOf(integrity) {
  const [, bits, content] = /^sha(\d+)-(.+)$/.exec(integrity) ?? [];
  if (content === undefined) throw new Error(`"${integrity}" in package-lock.json is no SHA checksum.`);
  return { alg: bits === '1' ? 'SHA-1' : `SHA-${bits}`, content: Buffer.from(content, 'base64').toString('hex') };
}

/** A UUID of version 8 (RFC 9562), whose bits are ours to choose, of a hash. */
const uuidOf = (hex) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
