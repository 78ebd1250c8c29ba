import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import { pragma } from './tables.ts';

export const probeInfo: Readonly<Record<string, ProbeInfo>> = {
  wal_restarts: { unit: 'count', label: 'WAL started over (checkpoints that emptied it)', role: 'checkpoints' },
  database_bytes: { unit: 'bytes', label: 'Database file' },
  free_pages: { unit: 'count', label: 'Free pages' },
  wal_bytes: { unit: 'bytes', label: 'WAL file' },
};

/** node:sqlite does not expose sqlite3_status(), so the probe reads the sizes of the files. */
export function createProbe(database: DatabaseSync, file: string): () => ProbeSample {
  const walFile = `${file}-wal`;
  let seen = 0;
  let restarts = 0;
  return () => {
    const now = checkpointSequence(walFile);
    // A log that was truncated and begun anew counts from zero.
    restarts += now >= seen ? now - seen : now;
    seen = now;
    return {
      counters: { wal_restarts: restarts },
      gauges: {
        database_bytes: Number(pragma(database, 'page_count')) * Number(pragma(database, 'page_size')),
        free_pages: Number(pragma(database, 'freelist_count')),
        wal_bytes: statSync(walFile, { throwIfNoEntry: false })?.size ?? 0,
      },
      unavailable: [],
    };
  };
}

/**
 * The sequence number in the WAL's header (sqlite.org/fileformat.html#walformat), which goes up when the log restarts.
 * 0: there is no log.
 */
function checkpointSequence(walFile: string): number {
  if ((statSync(walFile, { throwIfNoEntry: false })?.size ?? 0) < 32) return 0;
  const header = Buffer.alloc(32);
  const handle = openSync(walFile, 'r');
  try {
    readSync(handle, header, 0, 32, 0);
  } finally {
    closeSync(handle);
  }
  return header.readUInt32BE(12);
}

const synchronousNames = ['OFF', 'NORMAL', 'FULL', 'EXTRA'];

export function fingerprint(database: DatabaseSync): Fingerprint {
  const version = String(database.prepare('SELECT sqlite_version() AS version').get()?.version);
  const cache = Number(pragma(database, 'cache_size'));
  const read = (name: string) => String(pragma(database, name));
  return {
    product: `SQLite ${version}`,
    version,
    emulator: null,
    durability: {
      journal_mode: read('journal_mode'),
      synchronous: synchronousNames[Number(pragma(database, 'synchronous'))] ?? read('synchronous'),
      wal_autocheckpoint: `${read('wal_autocheckpoint')} pages`,
    },
    memory: {
      cache_size: cache < 0 ? `${-cache} KiB` : `${cache} pages`,
      mmap_size: `${read('mmap_size') === 'undefined' ? '0' : read('mmap_size')} bytes`,
    },
    cacheBytes: cache < 0 ? -cache * 1_024 : cache * Number(pragma(database, 'page_size')),
    other: {
      page_size: `${read('page_size')} bytes`,
      encoding: read('encoding'),
      isolation: 'serializable: one writer at a time',
      types: 'uuid as BLOB(16), decimal as scaled INTEGER, timestamp as INTEGER µs, boolean as 0/1',
    },
    unavailable: ['sqlite3_status counters: not exposed by node:sqlite'],
  };
}
