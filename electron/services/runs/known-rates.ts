import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { rateKey } from '#planning/estimate-seconds.ts';
import { writeAtomically } from '#platform/json-file.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';

/** Speeds of earlier trials on this machine, in rows or calls per second, for estimates of duration. */
export interface KnownRates {
  readonly rates: ReadonlyMap<string, number>;
  learn(plan: Plan, result: TrialResult): void;
}

const schema = v.record(v.string(), v.pipe(v.number(), v.finite(), v.minValue(0.001)));

/** The most kinds of trials that are kept; the file is rewritten after each trial. */
const mostKept = 1_000;

/** Keeps the speeds in a file that may be lost without harm. */
export function createKnownRates(file: string): KnownRates {
  const rates = new Map(Object.entries(read(file)));
  return {
    rates,
    learn(plan, result) {
      const settings = plan.variants.find(({ id }) => id === result.variant)?.settings;
      const engine = plan.targets.find(({ name }) => name === result.target)?.engine;
      const { rows, calls } = result.totals;
      if (result.status !== 'ok' || !settings || !engine || result.elapsedMs <= 0 || calls === 0) return;
      const key = rateKey(engine, settings);
      rates.delete(key);
      rates.set(key, ((rows || calls) / result.elapsedMs) * 1_000);
      for (const oldest of [...rates.keys()].slice(0, -mostKept)) rates.delete(oldest);
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeAtomically(file, JSON.stringify(Object.fromEntries(rates)));
      } catch {
        // Estimates are optional; the journal reports a full disk.
      }
    },
  };
}

function read(file: string): Readonly<Record<string, number>> {
  try {
    return v.parse(schema, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
