import { readdirSync } from 'node:fs';
import { textOf } from './system-file.ts';

const processorsFolder = '/sys/devices/system/cpu';

/**
 * The mean frequency of all cores at this moment, MHz. Null where nothing measures it: what other systems, and Linux
 * in most virtual machines, call frequency is what the processor is sold with.
 */
export const readFrequency = (): number | null =>
  meanMhz(coreFolders().map((folder) => textOf(`${folder}/cpufreq/scaling_cur_freq`))) ??
  countedMhz(textOf('/proc/cpuinfo'));

/** docs.kernel.org/admin-guide/pm/cpufreq.html: kHz of each core; null where no core tells. */
export function meanMhz(texts: readonly (string | null)[]): number | null {
  const all = texts.flatMap((text) => (/^\d+\s*$/.test(text ?? '') ? [Number(text) / 1_000] : []));
  return mean(all);
}

/** "cpu MHz" of /proc/cpuinfo where the processor counts its cycles (APERF and MPERF); else it is a constant. */
export function countedMhz(cpuinfo: string | null): number | null {
  if (cpuinfo === null || !/^flags\s*:.*\baperfmperf\b/m.test(cpuinfo)) return null;
  return mean([...cpuinfo.matchAll(/^cpu MHz\s*:\s*([\d.]+)$/gm)].map(([, mhz]) => Number(mhz)));
}

const mean = (all: readonly number[]): number | null =>
  all.length === 0 ? null : all.reduce((sum, one) => sum + one, 0) / all.length;

function coreFolders(): readonly string[] {
  try {
    return readdirSync(processorsFolder)
      .filter((name) => /^cpu\d+$/.test(name))
      .map((name) => `${processorsFolder}/${name}`);
  } catch {
    return []; // another system
  }
}
