import {
  appendFileSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { DynoError } from '#model/error.ts';
import { ensureHome, type Home, homeOf } from '#platform/paths.ts';
import { canMount, smallDisk } from '#platform/small-disk.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import type { JournalEntry, JournalRecord } from '#protocol/journal.ts';
import { collectGarbage } from '#runner/process/garbage.ts';
import { readJournal } from '#workspace/runs/journal-reader.ts';
import { syncBreaker } from './broken-sync.fixture.ts';
import { openJournal } from './journal.ts';

const at = '2026-01-01T00:00:00.000Z';
const runId = '20261120-080000-0badcafe';
const header = { ...fixtureJournal({ connections: [1], repeats: 1 }).next().value, runId } as JournalRecord;
const probeAt = (atMs: number, padding = 0): JournalRecord => ({
  record: 'probe',
  trial: 1,
  atMs,
  tookMs: 1,
  sample: { counters: {}, gauges: {}, unavailable: ['x'.repeat(padding)] },
});
const resumed: JournalRecord = { record: 'resumed', at, tag: '0000cafe' };

let home: Home;
beforeEach(() => {
  home = homeOf({ DYNO_HOME: temporaryFolder() });
  ensureHome(home);
});

async function readAll(file: string) {
  const records: JournalEntry[] = [];
  const problems: number[] = [];
  for await (const entry of readJournal(file))
    if (entry.record === 'damaged') problems.push(entry.line);
    else records.push(entry);
  return { records, problems };
}

const failure = async (promise: Promise<unknown>): Promise<DynoError['data']> =>
  promise.then(
    () => expect.unreachable('should have failed'),
    (thrown: DynoError) => thrown.data,
  );

describe('run journal', () => {
  it('gives back the records it was given, in order', async () => {
    const file = join(home.runs, 'a');
    const journal = await openJournal(home, file, { runId });
    await journal.commit(header);
    for (let n = 1; n <= 500; n++) journal.append(probeAt(n));
    await journal.close();
    const { records } = await readAll(file);
    expect(records).toHaveLength(501);
    expect(records.at(-1)).toEqual(probeAt(500));
  });

  it('has a committed record in the file before commit returns', async () => {
    const file = join(home.runs, 'a');
    const journal = await openJournal(home, file, { runId });
    await journal.commit(header);
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(header)}\n`);
    await journal.close();
  });

  it('leaves out a line torn by a crash, and cuts it off on resume', async () => {
    const file = join(home.runs, 'a');
    writeFileSync(file, `${JSON.stringify(header)}\n${JSON.stringify(resumed)}\n{"record":"res`);
    expect((await readAll(file)).records).toEqual([header, resumed]);
    const journal = await openJournal(home, file, 'resume');
    await journal.commit(resumed);
    await journal.close();
    const { records, problems } = await readAll(file);
    expect(records).toEqual([header, resumed, resumed]);
    expect(problems).toEqual([]);
  });

  it('gives only the records that are wanted, and the header', async () => {
    const file = join(home.runs, 'a');
    const phase = { record: 'phase', at, trial: 1, phase: 'load' };
    const records = [header, phase, resumed, phase].map((one) => JSON.stringify(one));
    writeFileSync(file, [...records, `{"at":"${at}","record":"resumed","tag":"0000cafe"}`, ''].join('\n'));
    const kinds: string[] = [];
    for await (const { record } of readJournal(file, ['resumed'])) kinds.push(record);
    expect(kinds).toEqual(['header', 'resumed', 'resumed']);
  });

  it('reports an unreadable line in the middle by its number and reads on', async () => {
    const file = join(home.runs, 'a');
    writeFileSync(file, `${JSON.stringify(header)}\n@@@\n${JSON.stringify(resumed)}\n`);
    expect(await readAll(file)).toEqual({ records: [header, resumed], problems: [2] });
  });

  it('refuses a file of another version, and one that is no run, in words', async () => {
    const older = join(home.runs, 'older');
    writeFileSync(older, `${JSON.stringify({ ...header, version: 1 })}\n`);
    expect((await failure(readAll(older))).message).toMatch(/made by another version of Dyno/);
    const other = join(home.runs, 'other');
    writeFileSync(other, 'hello\n');
    expect((await failure(readAll(other))).message).toMatch(/not a Dyno run/);
    writeFileSync(other, '');
    expect((await failure(readAll(other))).message).toMatch(/empty/);
  });

  it('lets one writer in at a time', async () => {
    const file = join(home.runs, 'a');
    const first = await openJournal(home, file, { runId });
    await first.commit(header);
    expect((await failure(openJournal(home, file, 'resume'))).message).toMatch(/Another Dyno process/);
    await first.close();
    const second = await openJournal(home, file, 'resume');
    await second.close();
  });

  it('lets one writer of a run in at a time, whichever of its files and copies it writes', async () => {
    const file = join(home.runs, 'a');
    const first = await openJournal(home, file, { runId });
    await first.commit(header);
    const elsewhere = temporaryFolder();
    const others = { copy: copyFileSync, link: linkSync, symlink: symlinkSync };
    for (const [name, make] of Object.entries(others)) {
      const other = join(elsewhere, name);
      make(file, other);
      expect((await failure(openJournal(home, other, 'resume'))).message, name).toMatch(/Another Dyno process/);
    }
    await first.close();
    const second = await openJournal(home, join(elsewhere, 'copy'), 'resume');
    expect((await failure(openJournal(home, file, 'resume'))).message).toMatch(/Another Dyno process/);
    await second.close();
  });

  it('gives way to the process of another home that writes the file, and keeps every line of it', async () => {
    const other = homeOf({ DYNO_HOME: temporaryFolder() });
    ensureHome(other);
    const file = join(home.runs, 'a');
    const first = await openJournal(home, file, { runId });
    await first.commit(header);
    const link = join(other.runs, 'b');
    linkSync(file, link);
    const second = await openJournal(other, link, 'resume');
    await second.commit(resumed);
    await first.commit(probeAt(1));
    expect(await failure(second.commit(probeAt(2)))).toMatchObject({ kind: 'badInput' });
    await first.commit(probeAt(3));
    await Promise.all([first.close(), second.close()]);
    expect(await readAll(file)).toEqual({ records: [header, resumed, probeAt(1), probeAt(3)], problems: [] });
  });

  it('refuses to overwrite a run', async () => {
    const file = join(home.runs, 'a');
    appendFileSync(file, 'precious\n');
    expect((await failure(openJournal(home, file, { runId }))).code).toBe('EEXIST');
    expect(readFileSync(file, 'utf8')).toBe('precious\n');
  });

  it('leaves a file that is no run as it was when asked to resume it', async () => {
    const file = join(home.root, 'notes.txt');
    writeFileSync(file, 'first line\nlast line without an end');
    await expect(openJournal(home, file, 'resume')).rejects.toThrow('is not a Dyno run');
    expect(readFileSync(file, 'utf8')).toBe('first line\nlast line without an end');
  });

  it('reads 100 MB without holding them', async () => {
    const file = join(home.runs, 'a');
    const probe = probeAt(0, 8_000);
    const block = `${JSON.stringify(probe)}\n`.repeat(1_000);
    writeFileSync(file, `${JSON.stringify(header)}\n`);
    for (let written = 0; written < 100e6; written += block.length) appendFileSync(file, block);
    // The resident memory would also show garbage that is not yet collected, which is more on a busy machine.
    const held = () => {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = held();
    let most = 0;
    let count = 0;
    for await (const _ of readJournal(file)) if (++count % 4_000 === 0) most = Math.max(most, held());
    expect(count).toBeGreaterThan(12_000);
    expect(most - before).toBeLessThan(20e6);
  });

  it('refuses a line without an end after its first bytes, or where it is longer than any record', async () => {
    const file = join(home.runs, 'endless');
    writeFileSync(file, 'x');
    truncateSync(file, 5_000_000);
    expect((await failure(readAll(file))).message).toMatch(/not a Dyno run: a line has no end/);
    writeFileSync(file, `${JSON.stringify(header)}\n`);
    truncateSync(file, 17 * 1024 * 1024);
    expect((await failure(readAll(file))).message).toMatch(/a line has no end/);
    truncateSync(file, 15 * 1024 * 1024);
    expect((await readAll(file)).records).toEqual([header]);
  });

  it.skipIf(process.getuid?.() === 0)('says that a folder is read-only', async () => {
    const folder = join(home.root, 'closed');
    mkdirSync(folder, { mode: 0o500 });
    expect(await failure(openJournal(home, join(folder, 'a'), { runId }))).toMatchObject({ kind: 'fileAccess' });
  });

  it('is broken where the disk cannot keep what was written', async () => {
    const broken: string[] = [];
    const journal = await openJournal(home, join(home.runs, 'a'), { runId }, ({ message }) => broken.push(message));
    await journal.commit(header);
    (await syncBreaker())();
    expect(await failure(journal.commit(resumed))).toMatchObject({ kind: 'other', code: 'EIO' });
    expect(broken).toEqual([expect.stringContaining('EIO')]);
    await failure(journal.commit(resumed));
    await journal.close();
  });

  it.skipIf(!canMount)('a full disk breaks the journal once, in words, and leaves whole lines', async () => {
    const disk = join(home.root, 'disk');
    using _ = smallDisk(disk, '64k');
    const file = join(disk, 'a');
    const broken: string[] = [];
    const journal = await openJournal(home, file, { runId }, (error) => broken.push(error.data.kind));
    await journal.commit(header);
    const large = probeAt(0, 10_000);
    const error = await failure(
      (async () => {
        for (let n = 0; n < 20; n++) await journal.commit(large);
      })(),
    );
    expect(error).toMatchObject({ kind: 'diskFull' });
    expect(error.hint).toMatch(/resume/);
    await journal.close();
    expect(broken).toEqual(['diskFull']);
    expect(readFileSync(file, 'utf8').endsWith('\n')).toBe(true);
    expect((await readAll(file)).records.length).toBeGreaterThan(1);
  });
});
