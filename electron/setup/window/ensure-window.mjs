import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isRoot, run } from '../project.mjs';
import { ensureElectron } from './electron.mjs';
import { sandboxProblem } from './sandbox.mjs';
import { getSystemPackages } from './system-packages.mjs';
import { unpackedEnvironment } from './unpacked-packages.mjs';
import { hasXvfb, withXvfb } from './xvfb.mjs';

/** True if this system has a display. */
export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/**
 * Installs the prerequisites of a window, and resolves with Electron's path and environment. `display: 'any'` falls
 * back to Xvfb, a display without a screen. Throws an error with the missing part and the remedy.
 */
export async function ensureWindow({ display }) {
  const electron = await ensureElectron();
  const virtual = display === 'any' && !hasDisplay();
  const findMissing = async () => {
    const libraries = await missingLibraries(electron);
    return {
      parts: [...(libraries.length > 0 ? ['window'] : []), ...(virtual && !hasXvfb() ? ['xvfb'] : [])],
      text: [
        libraries.length > 0 && `Electron needs system libraries that are not installed: ${libraries.join(', ')}.`,
        virtual && !hasXvfb() && 'There is no display, and Xvfb, a display without a screen, is not installed.',
      ]
        .filter(Boolean)
        .join(' '),
    };
  };
  const missing = await findMissing();
  if (missing.parts.length > 0) {
    await getSystemPackages(missing.text, missing.parts);
    const still = await findMissing();
    if (still.parts.length > 0) throw new Error(`Still missing after the installation: ${still.text}`);
  }
  const problem = await sandboxProblem(electron);
  if (problem) throw new Error(problem);
  return {
    electron,
    /** Chromium's sandbox cannot work as root. */
    args: isRoot ? ['--no-sandbox'] : [],
    /** Runs `use` with the environment that Electron needs, on a display. */
    withDisplay: (use) =>
      virtual ? withXvfb((env) => use({ ...unpackedEnvironment(), ...env })) : use(unpackedEnvironment()),
  };
}

/** A library that Electron loads once it has a display; without this library, Electron crashes without a message. */
const loadedLater = 'libX11-xcb.so.1';

/** Libraries that the loader finds neither in the system nor among the unpacked packages; empty without ldd. */
async function missingLibraries(executable) {
  if (process.platform !== 'linux') return [];
  const env = unpackedEnvironment();
  const ldd = await run('ldd', [executable], { capture: true, env }).catch(() => null);
  if (ldd === null) return [];
  const missing = [...ldd.output.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1]);
  // It is installed beside libX11, which the loader has found.
  const [, beside] = /libX11\.so\.6 => (\S+)\/libX11\.so\.6/.exec(ldd.output) ?? [];
  return beside === undefined || existsSync(join(beside, loadedLater)) ? missing : [...missing, loadedLater];
}
