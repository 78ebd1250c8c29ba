import type { ConfigParser } from '#contract/engine.ts';
import { DynoError } from '#contract/error.ts';

export interface NullConfig extends Readonly<Record<string, unknown>> {
  readonly delayMs: number;
}

export const config: ConfigParser = {
  parse(raw): NullConfig {
    for (const key of Object.keys(raw)) {
      if (key !== 'delayMs')
        throw new DynoError('badInput', `The null engine has no option "${key}".`, { hint: 'It has: delayMs.' });
    }
    const delayMs = raw.delayMs ?? 0;
    if (typeof delayMs !== 'number' || !(delayMs >= 0 && delayMs <= 3_600_000)) {
      throw new DynoError('badInput', 'delayMs must be a number of milliseconds from 0 to 3,600,000.');
    }
    return { delayMs };
  },
  describe: (config) => ({ address: 'in process', details: { delayMs: String(config.delayMs) } }),
};
