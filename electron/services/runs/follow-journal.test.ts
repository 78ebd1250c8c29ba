import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { JournalEntry } from '#protocol/journal.ts';
import { followJournal } from './follow-journal.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'dyno-follow-'));
  file = join(dir, 'run.dyno-run');
});
afterEach(() => rmSync(dir, { recursive: true }));

const header = JSON.stringify(fixtureJournal().next().value);
const at = '2026-01-01T00:00:00.000Z';
const phase = (trial: number, padding = '') => JSON.stringify({ record: 'phase', at, trial, phase: 'load', padding });
const trials = (records: readonly JournalEntry[]) => records.flatMap((r) => (r.record === 'phase' ? [r.trial] : []));
/** Follows until the file is read to its end; `more` may append to it, and returns whether to wait for more. */
async function follow(more: () => boolean = () => false): Promise<readonly number[]> {
  const stop = new AbortController();
  const seen: number[] = [];
  for await (const part of followJournal(file, () => true, stop.signal)) {
    seen.push(...trials(part.records));
    if (part.upToDate && !more()) stop.abort();
  }
  return seen;
}

test('a run arrives completely, without a torn last line, and with the places of damage', async () => {
  writeFileSync(file, `${[header, phase(1), 'damaged', phase(2)].join('\n')}\n{"torn`);
  expect(await follow()).toEqual([1, 2]);
  const stop = new AbortController();
  for await (const { records } of followJournal(file, () => true, stop.signal)) {
    expect(records.filter(({ record }) => record === 'damaged')).toMatchObject([{ line: 3 }]);
    stop.abort();
  }
});

test('records written later arrive, too', async () => {
  writeFileSync(file, `${header}\n${phase(1)}\n`);
  const later = [`${phase(2)}\n`, `${phase(3)}\n`];
  const seen = await follow(() => {
    const next = later.shift();
    if (next) appendFileSync(file, next);
    return next !== undefined;
  });
  expect(seen).toEqual([1, 2, 3]);
});

test('a line written in two halves arrives once', async () => {
  writeFileSync(file, `${header}\n${phase(1)}\n${phase(2).slice(0, 9)}`);
  let written = false;
  const seen = await follow(() => {
    if (written) return false;
    written = true;
    appendFileSync(file, `${phase(2).slice(9)}\n`);
    return true;
  });
  expect(seen).toEqual([1, 2]);
});

test('lines longer than a part are put together', async () => {
  writeFileSync(file, `${header}\n${phase(1, 'x'.repeat(3_000_000))}\n${phase(2)}\n`);
  expect(await follow()).toEqual([1, 2]);
});

test('a line without an end does not fill the memory', async () => {
  writeFileSync(file, `${header}\n`);
  truncateSync(file, 17 * 1024 * 1024);
  await expect(follow()).rejects.toThrow('no end');
});

test('a file that is no run is rejected, and one that is empty or gone', async () => {
  writeFileSync(file, 'hello\n');
  await expect(follow()).rejects.toThrow('not a Dyno run');
  writeFileSync(file, 'hello');
  await expect(follow()).rejects.toThrow('is empty');
  rmSync(file);
  await expect(follow()).rejects.toThrow('cannot be read');
});
