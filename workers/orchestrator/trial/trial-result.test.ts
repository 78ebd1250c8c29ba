import { expect, test } from 'vitest';
import { descriptor } from '#engines/noop/descriptor.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { WorkerResult } from '#protocol/measurement.ts';
import { noCalls, noHealth } from '../worker/merge-results.ts';
import { type TrialDraft, toResult } from './trial-result.ts';
import { notVerified } from './verification.ts';

test('a client that was busy between calls that are reported one by one is not said to be the limit', () => {
  const busy = {
    worker: 0,
    firstStartNs: '0',
    lastEndNs: '1000000000',
    totals: { ...noCalls, calls: 2, rows: 2 },
    health: { ...noHealth, eventLoopUtilisation: 1, cpuUserMs: 1_000 },
    errorExamples: [],
  } as unknown as WorkerResult; // These are the parts that count for time.
  const draft: TrialDraft = {
    results: [busy],
    error: null,
    unsampled: [],
    verification: notVerified(''),
    storedBytes: null,
    probeDelta: {},
  };
  const trial = { number: 1, repeat: 1, variant: 'v', target: 't' };
  const variant = { id: 'v', label: 'v', levels: {}, settings: defaultSettings };
  const saturated = (more: Partial<TrialDraft>) =>
    toResult(trial, variant, descriptor, { ...draft, ...more }, 'ok', null, {}).clientSaturated;
  expect(saturated({})).toBe(true);
  expect(saturated({ perCall: [{ ms: 1, rows: 1, probeDelta: {} }] })).toBe(false);
});
