import { readdirSync } from 'node:fs';
import { textOf } from '#load-hosts/machine/system-file.ts';

const processorsFolder = '/sys/devices/system/cpu';

/**
 * The current mean frequency of all cores in MHz. Null if nothing measures it: other systems, and Linux in most virtual
 * machines, report the nominal frequency only.
 */
export const readFrequency = (): number | null =>
  meanMhz(coreFolders().map((folder) => textOf(`${folder}/cpufreq/scaling_cur_freq`))) ??
  countedMhz(textOf('/proc/cpuinfo'));

/** docs.kernel.org/admin-guide/pm/cpufreq.html: kHz of each core; null if no core reports it. */
export function meanMhz(texts: readonly (string | null)[]): number | null {
  const all = texts.flatMap((text) => (/^\d+\s*$/.test(text ?? '') ? [Number(text) / 1_000] : []));
  return mean(all);
}

/** "cpu MHz" of /proc/cpuinfo, if the processor counts its cycles (APERF and MPERF); otherwise it is a constant. */
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
    return []; // This is another system.
  }
}
