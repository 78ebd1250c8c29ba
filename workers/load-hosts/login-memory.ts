import { readFileSync } from 'node:fs';
import { DynoError } from '#model/error.ts';
import { formatBytes } from '#model/format/format.ts';
import type { ToHost } from '#protocol/messages.ts';

/**
 * Bytes by which a worker may grow while it logs in. The largest growth of a real login is 33 MB, on Oracle; loading
 * the library for Microsoft Entra ID takes 39 MB.
 */
const mostGrowth = 96 * 1024 * 1024;
/** Between two looks, a driver that copies what it receives grows by some ten megabytes. */
const lookEveryMs = 20;

interface LoginMemory {
  /** Hears what the worker says: a login begins with `loaded`, and ends with the next message. */
  message(message: ToHost): void;
  close(): void;
}

/**
 * Ends a worker whose memory grows too far while it logs in. A server can make a driver loop without end: the worker
 * then acts on no time limit, and only another process can end it. `memoryOf` returns the resident bytes of the
 * process, or null where the system does not tell.
 */
export function watchLoginMemory(
  pid: number,
  end: (reason: DynoError) => void,
  memoryOf: (pid: number) => number | null = residentBytes,
): LoginMemory {
  let timer: NodeJS.Timeout | undefined;
  const close = () => clearInterval(timer);
  return {
    message({ type }) {
      close();
      const before = type === 'loaded' ? memoryOf(pid) : null;
      if (before === null) return;
      timer = setInterval(() => {
        const grown = (memoryOf(pid) ?? 0) - before;
        if (grown <= mostGrowth) return;
        close();
        end(tooMuch(grown));
      }, lookEveryMs);
    },
    close,
  };
}

const tooMuch = (bytes: number): DynoError =>
  new DynoError('unreachable', `The driver took ${formatBytes(bytes)} of memory for the login, so it was ended.`, {
    hint: 'What answers there is no server of this engine: check host and port.',
  });

/** Linux counts in pages (proc(5), statm), whose size is 4 KiB on x64 and the usual one on arm64. */
const pageBytes = 4_096;

function residentBytes(pid: number): number | null {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
    return Number.isFinite(pages) ? pages * pageBytes : null;
  } catch {
    return null;
  }
}
