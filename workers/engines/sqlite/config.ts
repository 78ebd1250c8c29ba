import { isAbsolute } from 'node:path';
import type { ConfigParser } from '#contract/engine.ts';
import { DynoError } from '#contract/error.ts';
import { descriptor } from './descriptor.ts';

const journalModes = ['wal', 'delete', 'truncate', 'persist', 'memory', 'off'] as const;
const synchronousLevels = ['full', 'normal', 'off', 'extra'] as const;

export interface SqliteConfig extends Readonly<Record<string, unknown>> {
  /** Absolute. Folder that holds dyno.sqlite. */
  readonly path: string;
  readonly journalMode: (typeof journalModes)[number];
  readonly synchronous: (typeof synchronousLevels)[number];
  readonly cacheKib: number;
  readonly pageSize: number;
  readonly busyTimeoutMs: number;
}

export const config: ConfigParser = {
  parse(raw): SqliteConfig {
    const known = descriptor.config.map((field) => field.name);
    for (const key of Object.keys(raw)) {
      if (!known.includes(key)) {
        throw new DynoError('badInput', `SQLite targets have no key "${key}".`, { hint: `Keys: ${known.join(', ')}.` });
      }
    }
    const { path } = raw;
    if (typeof path !== 'string' || path === '') {
      throw new DynoError('badInput', 'path must name the folder for Dyno’s SQLite file.');
    }
    if (!isAbsolute(path)) {
      throw new DynoError('badInput', `path must be absolute, not "${path}".`, {
        hint: 'What a relative path means depends on where Dyno was started; window and command line would differ.',
      });
    }
    const pageSize = whole(raw, 'pageSize', 4_096, 512, 65_536);
    if ((pageSize & (pageSize - 1)) !== 0) {
      throw new DynoError('badInput', `pageSize must be a power of two from 512 to 65,536, not ${pageSize}.`);
    }
    return {
      path,
      journalMode: choice(raw, 'journalMode', journalModes),
      synchronous: choice(raw, 'synchronous', synchronousLevels),
      cacheKib: whole(raw, 'cacheKib', 65_536, 1, 1_073_741_824),
      pageSize,
      busyTimeoutMs: whole(raw, 'busyTimeoutMs', 5_000, 0, 3_600_000),
    };
  },
  describe(parsed) {
    const { path, ...details } = parsed as SqliteConfig;
    return {
      address: path,
      details: Object.fromEntries(Object.entries(details).map(([key, value]) => [key, String(value)])),
    };
  },
};

/** The first choice is the default. Case does not matter: SQLite's manual writes these in capitals. */
function choice<T extends string>(
  raw: Readonly<Record<string, unknown>>,
  key: string,
  choices: readonly [T, ...T[]],
): T {
  const value = raw[key] ?? choices[0];
  const found = choices.find((one) => one === String(value).toLowerCase());
  if (!found) throw new DynoError('badInput', `${key} must be one of ${choices.join(', ')}, not "${String(value)}".`);
  return found;
}

function whole(
  raw: Readonly<Record<string, unknown>>,
  key: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const value = raw[key] ?? fallback;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new DynoError(
      'badInput',
      `${key} must be a whole number from ${min} to ${max}, not ${JSON.stringify(value)}.`,
    );
  }
  return value;
}
