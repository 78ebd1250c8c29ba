import { run } from './project.mjs';

const packages = 'libgtk-3-0 libnss3 libgbm1 libasound2 libxss1 libxtst6';

/**
 * What to install before this Electron can start, as a sentence; null where nothing is missing (or there is no ldd to ask).
 */
export async function missingLibraries(executable) {
  if (process.platform !== 'linux') return null;
  const ldd = await run('ldd', [executable], { capture: true }).catch(() => ({ output: '' }));
  const missing = [...ldd.output.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1]);
  if (missing.length === 0) return null;
  return [
    `Electron needs system libraries that are not installed: ${missing.join(', ')}.`,
    `On Debian and Ubuntu: sudo apt-get install ${packages}   (Ubuntu 24.04 and later: libasound2t64)`,
  ].join('\n');
}
