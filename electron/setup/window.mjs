import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureElectron } from './electron.mjs';
import { isRoot, run } from './project.mjs';
import { sandboxProblem } from './sandbox.mjs';
import { getSystemPackages } from './system-packages.mjs';
import { unpackedEnvironment } from './unpacked-packages.mjs';
import { hasXvfb, withXvfb } from './xvfb.mjs';

/** True where a window can be shown to somebody. */
export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/**
 * Gets what a window needs and resolves with Electron's path and the environment that it needs here. `display: 'any'` is content with a
 * display without a screen where there is no other. Throws a sentence that says what is missing and what to do.
 */
export async function ensureWindow({ display }) {
  const electron = await ensureElectron();
  const virtual = display === 'any' && !hasDisplay();
  const lackingNow = async () => {
    const libraries = await missingLibraries(electron);
    return {
      parts: [...(libraries.length > 0 ? ['window'] : []), ...(virtual && !hasXvfb() ? ['xvfb'] : [])],
      text: [
        libraries.length > 0 && `Electron needs system libraries that are not installed: ${libraries.join(', ')}.`,
        virtual && !hasXvfb() && 'There is no display, and no Xvfb, which gives one without a screen.',
      ]
        .filter(Boolean)
        .join(' '),
    };
  };
  const lacking = await lackingNow();
  if (lacking.parts.length > 0) {
    await getSystemPackages(lacking.text, lacking.parts);
    const still = await lackingNow();
    if (still.parts.length > 0) throw new Error(`After its installation: ${still.text}`);
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

/** A library that Electron opens by itself as soon as it has a display: without it, it crashes without a word. */
const opened = 'libX11-xcb.so.1';

/** The libraries that the loader does not find, with those that are unpacked for Dyno; none where there is no ldd to ask. */
async function missingLibraries(executable) {
  if (process.platform !== 'linux') return [];
  const env = unpackedEnvironment();
  const ldd = await run('ldd', [executable], { capture: true, env }).catch(() => null);
  if (ldd === null) return [];
  const missing = [...ldd.output.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1]);
  // It lies beside libX11, which the loader has found.
  const [, beside] = /libX11\.so\.6 => (\S+)\/libX11\.so\.6/.exec(ldd.output) ?? [];
  return beside === undefined || existsSync(join(beside, opened)) ? missing : [...missing, opened];
}
