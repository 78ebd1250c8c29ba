import { freemem, totalmem } from 'node:os';
import type { HostSecond } from '#protocol/host-second.ts';
import { textOf } from './system-file.ts';

type Memory = HostSecond['memory'];

/** Reads the memory of this machine. */
export const readMemory = (): Memory => procMemory(textOf('/proc/meminfo')) ?? nodeMemory();

/** proc_meminfo(5), whose kB are 1,024 bytes. Null if it is no such text. */
export function procMemory(text: string | null): Memory | null {
  const found = new Map(
    [...(text ?? '').matchAll(/^(\w+(?:\(\w+\))?): +(\d+) kB$/gm)].map(([, name, kb]) => [name!, Number(kb) * 1_024]),
  );
  const totalBytes = found.get('MemTotal');
  if (totalBytes === undefined) return null;
  const bytes = (name: string) => found.get(name) ?? 0;
  // Cached contains shared memory, in which servers have their own caches.
  const cachedBytes = Math.max(0, bytes('Buffers') + bytes('Cached') + bytes('SReclaimable') - bytes('Shmem'));
  return {
    totalBytes,
    // Kernels before 3.14 do not estimate it.
    availableBytes: Math.min(totalBytes, found.get('MemAvailable') ?? bytes('MemFree') + cachedBytes),
    cachedBytes,
    dirtyBytes: bytes('Dirty') + bytes('Writeback'),
    swapUsedBytes: Math.max(0, bytes('SwapTotal') - bytes('SwapFree')),
  };
}

const nodeMemory = (): Memory => ({
  totalBytes: totalmem(),
  availableBytes: freemem(),
  cachedBytes: null,
  dirtyBytes: null,
  swapUsedBytes: null,
});
