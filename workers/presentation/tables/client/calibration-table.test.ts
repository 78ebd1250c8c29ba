import { expect, it } from 'vitest';
import type { CalibrationEntry } from '#protocol/measurement.ts';
import { calibrationTable } from './calibration-table.ts';

const nbsp = '\u00a0';
const entry = (more: Partial<CalibrationEntry>): CalibrationEntry => ({
  kind: 'noopEngine',
  target: null,
  label: 'Calls',
  perSecond: 2_000,
  unit: 'calls',
  p50Us: 250,
  p99Us: null,
  measuredAt: '2026-11-20T08:30:00.000Z',
  ...more,
});
const storage = { measure: 'overwriteSync', fileSystem: 'ext4', throughCache: false, targets: ['one', 'two'] } as const;

it('the disk has rates in its own units, and a note with its targets, its file system and its date', () => {
  const { rows, note } = calibrationTable({
    calibration: [
      entry({}),
      entry({ kind: 'storage', label: 'synced', unit: 'syncs', storage }),
      entry({ kind: 'storage', label: 'read', unit: 'bytes', perSecond: 2 ** 29, storage }),
    ],
  });
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['Calls', `2.00k${nbsp}calls/s`, `250${nbsp}µs`, '–'],
    ['Disk: synced', `2.00k${nbsp}syncs/s`, `250${nbsp}µs`, '–'],
    ['Disk: read', `512${nbsp}MiB/s`, `250${nbsp}µs`, '–'],
  ]);
  expect(note).toContain(
    'file system (ext4) with the files of one, two, which one process measured on 2026-11-20 08:30 UTC',
  );
  expect(note).toContain('bypassed the page cache');
});

it('a file system that takes no direct reads says that the page cache answered', () => {
  const cached = { ...storage, fileSystem: null, throughCache: true };
  const { note } = calibrationTable({ calibration: [entry({ kind: 'storage', storage: cached })] });
  expect(note).toContain('The disk is the file system with the files');
  expect(note).toContain('so the page cache of the operating system answered');
});

it('a run without a measured disk says nothing of one', () => {
  expect(calibrationTable({ calibration: [entry({})] }).note).not.toContain('disk');
});
