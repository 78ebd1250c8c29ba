import { type FileHandle, open } from 'node:fs/promises';
import { DynoError, toErrorData } from '#model/error.ts';
import { tryLock } from '#platform/file-lock.ts';
import type { Home } from '#platform/paths.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { isRunId, runIdLockFile, runLockFile, wholeLength } from '#workspace/runs/journal-file.ts';
import { headerOf } from '#workspace/runs/journal-reader.ts';

/** The only writer of a run file. */
export interface Journal {
  readonly file: string;
  /** Queues a record, which is written to the file within a second. Never throws: a failed write sets `broken`. */
  append(record: JournalRecord): void;
  /** Appends a record and returns when it is on the disk (fsync). Throws the disk's error. */
  commit(record: JournalRecord): Promise<void>;
  /** Resolves when everything appended so far is written (not necessarily synced). */
  flush(): Promise<void>;
  /** The error that ended writing. `onBroken` is called once, at that moment. */
  readonly broken: DynoError | null;
  /** Writes the queue, closes the file and releases the lock. Never throws. */
  close(): Promise<void>;
}

const flushEveryMs = 500;

/**
 * Opens a run file for appending, and locks the file and its run: a copy or a link of the file is the same run.
 * @param as The id of a new run, whose file must not exist yet; `resume` cuts off a line torn by a crash and continues
 *   behind it. Throws 'badInput' if another process writes this run, and 'fileAccess' or 'diskFull' with the folder's
 *   name.
 */
export async function openJournal(
  home: Home,
  file: string,
  as: { readonly runId: string } | 'resume',
  onBroken: (error: DynoError) => void = () => {},
): Promise<Journal> {
  using locks = new DisposableStack();
  const lock = (path: string) => {
    const held = tryLock(path);
    if (!held)
      throw new DynoError('badInput', `Another Dyno process is writing the run ${file}.`, {
        hint: 'Wait until it ends, or cancel it there.',
      });
    locks.use(held);
  };
  try {
    lock(runLockFile(home, file));
    // This check comes before the first change of the file, which may be any file.
    const { runId } = as === 'resume' ? await headerOf(file) : as;
    if (!isRunId(runId)) throw new DynoError('badInput', `${file} has no proper run id: it cannot be resumed.`);
    lock(runIdLockFile(home, runId));
    const handle = await open(file, as === 'resume' ? 'r+' : 'ax', 0o600);
    const length = as === 'resume' ? wholeLength(file) : 0;
    if (as === 'resume') await handle.truncate(length);
    return createWriter(file, handle, length, as === 'resume', locks.move(), onBroken);
  } catch (thrown) {
    throw thrown instanceof DynoError ? thrown : writeError(file, thrown);
  }
}

function createWriter(
  file: string,
  handle: FileHandle,
  start: number,
  givesWay: boolean,
  locks: Disposable,
  onBroken: (error: DynoError) => void,
): Journal {
  let position = start;
  let lines: string[] = [];
  let timer: NodeJS.Timeout | null = null;
  let broken: DynoError | null = null;
  let closed = false;
  let tail: Promise<void> = Promise.resolve();

  const fail = (thrown: unknown): DynoError => {
    broken = writeError(file, thrown);
    onBroken(broken);
    return broken;
  };
  const write = async (): Promise<void> => {
    if (broken) throw broken;
    if (lines.length === 0) return;
    const bytes = Buffer.from(lines.join(''));
    lines = [];
    try {
      // The locks belong to this home. A process of another home may write to a link of this file, or to the file
      // itself.
      const { size } = await handle.stat();
      if (size !== position && givesWay) throw writtenByAnother(file);
      position = size;
      let done = 0;
      while (done < bytes.length)
        done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
      position += bytes.length;
    } catch (thrown) {
      // A reader tolerates a torn line. Cutting it off leaves nothing to explain.
      if (!isOfAnother(thrown)) await handle.truncate(position).catch(() => {});
      throw fail(thrown);
    }
  };
  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    const next = tail.then(write);
    tail = next.catch(() => {});
    return next;
  };
  const append = (record: JournalRecord): void => {
    if (closed) return;
    lines.push(`${JSON.stringify(record)}\n`);
    timer ??= setTimeout(() => void flush().catch(() => {}), flushEveryMs);
  };
  return {
    file,
    append,
    async commit(record) {
      append(record);
      await flush();
      await handle.datasync().catch((thrown: unknown) => {
        // Full and broken disks report their error here at the latest. Afterwards the system may have dropped the data.
        if (!withoutSync.includes(toErrorData(thrown).code ?? '')) throw fail(thrown);
      });
    },
    flush,
    get broken() {
      return broken;
    },
    async close() {
      if (closed) return;
      await flush().catch(() => {});
      closed = true;
      await handle.close().catch(() => {});
      locks[Symbol.dispose]();
    },
  };
}

/** Errors of file systems without fsync (some network shares). */
const withoutSync = ['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM'];

const writtenByAnother = (file: string): DynoError =>
  new DynoError('badInput', `Another process writes the run file ${file}: this one leaves it.`, {
    hint: 'It may be a Dyno of another home or user. Resume a copy of the file, or wait for the end of the other run.',
  });
const isOfAnother = (thrown: unknown): boolean => thrown instanceof DynoError;

const wrongPath = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENAMETOOLONG'];

function writeError(file: string, thrown: unknown): DynoError {
  if (thrown instanceof DynoError) return thrown;
  const data = toErrorData(thrown);
  const hint =
    data.kind === 'diskFull'
      ? 'Free some space, then resume the run: every finished trial is kept.'
      : data.code === 'EEXIST'
        ? 'Choose another file name; Dyno does not overwrite runs.'
        : 'Choose a folder you can write to (DYNO_HOME or --out).';
  return new DynoError(
    wrongPath.includes(data.code ?? '') ? 'badInput' : data.kind === 'internal' ? 'other' : data.kind,
    `The run file ${file} cannot be written: ${data.message}`,
    {
      code: data.code,
      hint,
    },
  );
}
