import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir, logToStderr } from './project.mjs';

const everyMs = process.stderr.isTTY ? 500 : 5_000;
const firstAfterMs = 2_000;

/**
 * Runs `work` and shows its progress after the first two seconds: on a terminal in one line that is rewritten,
 * elsewhere in a new line every five seconds. `read` returns what is done and the total (`of`, null if unknown), in
 * bytes or in counts of `unit`. The time left assumes the average rate so far.
 */
export async function withProgress(title, read, work) {
  logToStderr(`${title}…`);
  const startedMs = performance.now();
  let shown = false;
  const show = async () => {
    const elapsedMs = performance.now() - startedMs;
    if (elapsedMs < firstAfterMs) return;
    const line = `  ${progressText(await read(), elapsedMs)}`;
    shown = true;
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  };
  const timer = setInterval(() => void show().catch(() => {}), everyMs);
  try {
    const result = await work();
    await read.finished?.(performance.now() - startedMs);
    return result;
  } finally {
    clearInterval(timer);
    if (shown && process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}

/**
 * Progress of work that reports none itself: the seconds so far, out of the seconds that it took the last time on this
 * machine. The cache remembers these under `name`.
 */
export async function sinceLastTime(name) {
  const file = join(cacheDir, `${name}-took-ms`);
  const startedMs = performance.now();
  const tookMs = Number(await readFile(file, 'utf8').catch(() => 0));
  const of = tookMs > 0 ? Math.ceil(tookMs / 1_000) : 0;
  const read = async () => ({ done: (performance.now() - startedMs) / 1_000, of, unit: 's' });
  read.finished = async (elapsedMs) => {
    try {
      await mkdir(cacheDir, { recursive: true });
      await writeFile(file, String(Math.round(elapsedMs)));
    } catch {
      // The next run then shows no total; nothing else needs the cache.
    }
  };
  return read;
}

/** "31 of 57 MB, about 4 s left", or "31 MB so far, 12 s" without a total. */
export function progressText({ done, of = 0, unit = 'bytes' }, elapsedMs) {
  const seconds = (ms) => `${Math.max(1, Math.round(ms / 1_000))} s`;
  const megabytes = (bytes) => Math.round(bytes / 1e6);
  const [doneText, ofText, unitText] =
    unit === 'bytes' ? [megabytes(done), of && megabytes(of), 'MB'] : [Math.round(done), of, unit];
  if (!of)
    return unit === 's' ? `${seconds(elapsedMs)} so far` : `${doneText} ${unitText} so far, ${seconds(elapsedMs)}`;
  const fraction = Math.min(1, done / of);
  // The rate of the first twentieth is too uncertain to show the time left. The total does not count the work after the
  // last byte.
  const timeText =
    fraction === 1
      ? 'finishing'
      : fraction > 0.05
        ? `about ${seconds((elapsedMs / fraction) * (1 - fraction))} left`
        : seconds(elapsedMs);
  return `${Math.min(doneText, ofText)} of ${ofText} ${unitText}, ${timeText}`;
}
