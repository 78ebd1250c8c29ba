import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir, say } from './project.mjs';

const everyMs = process.stderr.isTTY ? 500 : 5_000;
const firstAfterMs = 2_000;

/**
 * Runs `work` and says how far it has come once it has taken two seconds: on a terminal in one line that is rewritten, elsewhere in a line
 * every five seconds. `read` gives what is done and the total (`of`, null where nobody knows it), as bytes or as a count of `unit`.
 * The time left is what remains at the average rate so far.
 */
export async function withProgress(title, read, work) {
  say(`${title}…`);
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
 * For work that does not say how far it is: the seconds so far, of those that it took the last time on this machine; it is remembered under
 * `name`.
 */
export async function sinceLastTime(name) {
  const file = join(cacheDir, `${name}-took-ms`);
  const startedMs = performance.now();
  const tookMs = Number(await readFile(file, 'utf8').catch(() => 0));
  const of = tookMs > 0 ? Math.ceil(tookMs / 1_000) : null;
  const read = async () => ({ done: (performance.now() - startedMs) / 1_000, of, unit: 's' });
  read.finished = async (elapsedMs) => {
    try {
      await mkdir(cacheDir, { recursive: true });
      await writeFile(file, String(Math.round(elapsedMs)));
    } catch {
      // Without a memory the next time shows the seconds so far alone.
    }
  };
  return read;
}

/** "31 of 57 MB, about 4 s left"; without a total "31 MB so far, 12 s". */
export function progressText({ done, of = null, unit = 'bytes' }, elapsedMs) {
  const seconds = (ms) => `${Math.max(1, Math.round(ms / 1_000))} s`;
  const megabytes = (bytes) => Math.round(bytes / 1e6);
  const [doneText, ofText, unitText] =
    unit === 'bytes' ? [megabytes(done), of && megabytes(of), 'MB'] : [Math.round(done), of, unit];
  if (!of)
    return unit === 's' ? `${seconds(elapsedMs)} so far` : `${doneText} ${unitText} so far, ${seconds(elapsedMs)}`;
  const fraction = Math.min(1, done / of);
  // An early rate says little: the time left is told once a twentieth is done. What comes after the last byte is not in the total.
  const timeText =
    fraction === 1
      ? 'finishing'
      : fraction > 0.05
        ? `about ${seconds((elapsedMs / fraction) * (1 - fraction))} left`
        : seconds(elapsedMs);
  return `${Math.min(doneText, ofText)} of ${ofText} ${unitText}, ${timeText}`;
}
