import { DynoError, type ErrorData, fromErrorData } from '#model/error.ts';
import { redact } from './redact.ts';

/** A server may send an error of many megabytes. */
const mostCharacters = 8_000;
const shortened = (text: string): string => (text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text);

/** A worker's error without secrets, cut to a readable length. */
export function cleaned(error: ErrorData, secrets: readonly string[]): DynoError {
  // Secrets are removed before the cut, because a part of a secret would not be found.
  const clean = (text: string) => shortened(redact(text, secrets));
  return fromErrorData({
    ...error,
    message: clean(error.message),
    hint: error.hint === null ? null : clean(error.hint),
    code: error.code === null ? null : shortened(error.code),
  });
}

/** The error for a worker process that has ended; `stderr`: the end of its output. */
export function goneError(
  pid: number,
  code: number | null,
  signal: string | null,
  expected: boolean,
  stderr: string,
): DynoError {
  if (expected) return new DynoError('cancelled', `Worker ${pid} was ended.`);
  const how = signal ? `was killed by ${signal}` : `ended with exit code ${code}`;
  const words = stderr.trim().split('\n').slice(-6).join('\n');
  return new DynoError('workerGone', `Worker process ${pid} ${how}${words ? `; it said: ${words}` : ''}`, {
    code: signal ?? String(code),
    hint:
      signal === 'SIGKILL'
        ? 'Something killed it: often the system, for want of memory. Fewer prepared rows (generation: inline) need less.'
        : null,
  });
}

/** Rejects with 'timeout' where the promise takes longer than `ms`. */
export async function within<T>(ms: number, promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DynoError('timeout', `${what} within ${ms / 1000} s.`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
