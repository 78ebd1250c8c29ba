import { describe, expect, it } from 'vitest';
import { defaultSettings } from '#model/settings/settings.ts';
import type { CalibrationEntry } from '#protocol/measurement.ts';
import { ceilingOf } from './ceilings.ts';

const entry = (kind: CalibrationEntry['kind']): CalibrationEntry => ({
  kind,
  target: null,
  label: kind,
  perSecond: 1_000,
  unit: 'calls',
  p50Us: null,
  p99Us: null,
  measuredAt: '2026-01-01T00:00:00Z',
});
const machine = { cores: 4 };

describe('a ceiling', () => {
  it('of calls holds for as many rows as a call carries, and for as many processes as there are cores', () => {
    const of = (more: Partial<typeof defaultSettings>) =>
      ceilingOf(entry('noopEngine'), { ...defaultSettings, ...more }, machine);
    expect(of({})).toBe(1_000);
    expect(of({ rowsPerCall: 50, processes: 2 })).toBe(100_000);
    expect(of({ processes: 16 })).toBe(4_000);
    expect(of({ operation: 'readRange', rangeRows: 7 })).toBe(7_000);
    expect(of({ operation: 'scan' })).toBeNull();
  });

  it('of generation holds where the client makes rows inside the clock, and nowhere else', () => {
    const of = (more: Partial<typeof defaultSettings>) =>
      ceilingOf(entry('generation'), { ...defaultSettings, ...more }, machine);
    expect(of({ generation: 'inline' })).toBe(1_000);
    expect(of({ generation: 'prepared' })).toBeNull();
    expect(of({ generation: 'inline', method: 'serverLoop' })).toBeNull();
    expect(of({ generation: 'inline', operation: 'readByKey' })).toBeNull();
  });

  it.each(['roundTrip', 'storage'] as const)('is not the %s of one connection', (kind) => {
    expect(ceilingOf(entry(kind), defaultSettings, machine)).toBeNull();
  });
});
