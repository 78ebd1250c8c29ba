import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../setup/project.mjs';
import { runtimePackages } from './runtime-packages.mjs';

// `npm run ages` fails if a shipped package has had no release for three years and is not listed below. It uses the
// registry configured in npm. A mirror may report later days, on which it fetched a version, so the check may miss some
// packages.

const oldestYears = 3;

/** The packages that may be old, by reason. All are dependencies of drivers and of the editor. */
export const mayBeOld = {
  'A part of Node’s own interface, as it was when the package was made': [
    ...['abort-controller', 'base64-js', 'buffer', 'event-target-shim', 'events', 'ieee754', 'inherits', 'process'],
    ...['punycode', 'safe-buffer', 'safer-buffer', 'string_decoder'],
  ],
  'One small function, which is finished': [
    ...['async-exit-hook', 'buffer-equal-constant-time', 'bundle-name', 'crelt', 'define-lazy-prop', 'denque'],
    ...['generate-function', 'is-docker', 'is-inside-container', 'is-property', 'lodash.includes', 'lodash.isboolean'],
    ...['lodash.isinteger', 'lodash.isnumber', 'lodash.isplainobject', 'lodash.isstring', 'lodash.once', 'ms'],
    ...['named-placeholders', 'native-duplexpair', 'split2', 'sprintf-js', 'w3c-keyname', 'xtend'],
  ],
  'A format that does not change': [
    ...['ecdsa-sig-formatter', 'js-md4', 'memory-pager', 'pg-int8', 'pgpass', 'postgres-array', 'postgres-bytea'],
    ...['postgres-date', 'postgres-interval', 'sparse-bitfield'],
  ],
  'Reviewed cryptography, which its authors leave as it is': ['tweetnacl'],
  'The pool that mssql is written for': ['tarn'],
};

/** Names of unlisted packages whose newest release is older than three years. */
export function untouched(newestReleases, now = new Date()) {
  const oldest = new Date(now);
  oldest.setFullYear(now.getFullYear() - oldestYears);
  const named = new Set(Object.values(mayBeOld).flat());
  return Object.entries(newestReleases)
    .filter(([name, released]) => new Date(released) < oldest && !named.has(name))
    .map(([name]) => name);
}

/** Names of the shipped packages, from package-lock.json. */
export function shippedPackages() {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const names = Object.keys(read('package.json').dependencies);
  const shipped = runtimePackages(read('package-lock.json'), names, { platform: 'linux', arch: 'x64' });
  return [...new Set(shipped.map(({ name }) => name))];
}

/** The release time of the newest version of a package, according to the registry. */
async function newestRelease(registry, name) {
  const response = await fetch(new URL(name.replace('/', '%2f'), registry));
  if (!response.ok) throw new Error(`The registry answered ${response.status} when asked for ${name}.`);
  const { time } = /** @type {{ time: Record<string, string> }} */ (await response.json());
  const { created: _, modified: __, ...versions } = time;
  return Object.values(versions).toSorted().at(-1);
}

async function checkAges() {
  const { stdout } = await run('npm', ['config', 'get', 'registry'], {
    capture: true,
    shell: process.platform === 'win32',
  });
  const waiting = shippedPackages();
  const releases = {};
  const ask = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
      releases[name] = await newestRelease(stdout.trim(), name);
  };
  await Promise.all(Array.from({ length: 8 }, ask));
  const old = untouched(releases);
  for (const name of old) console.log(`${name}: its newest release is of ${releases[name].slice(0, 10)}.`);
  console.log(
    `${Object.keys(releases).length} packages, ${old.length} untouched for ${oldestYears} years without a reason.`,
  );
  if (old.length > 0) process.exitCode = 1;
}

if (import.meta.filename === process.argv[1]) await checkAges();
