/*
 * Private members of oracledb that this file uses; driver-privates.test.ts has a contract for each: Connection._impl,
 * ThinConnectionImpl.nscon, NetworkSession.ntAdapter, NTTCP.stream.
 */
import oracledb from 'oracledb';
import { DynoError } from '#model/error.ts';
import type { OracleConfig } from '../config.ts';
import { toError } from '../errors.ts';

/**
 * Loads Oracle's client libraries for mode: thick. The driver's mode is the process's: it cannot change after the first
 * connection, and a worker process has one target.
 */
export function chooseMode({ mode, libDir }: OracleConfig): void {
  if (mode === 'thin') {
    if (oracledb.thin) return;
    throw new DynoError('internal', 'This process already uses the driver in Thick mode.');
  }
  try {
    oracledb.initOracleClient(libDir === null ? {} : { libDir });
  } catch (error) {
    const data = toError(error);
    throw new DynoError(data.kind, `mode: thick: ${data.message}`, data);
  }
}

interface Wire {
  readonly bytesWritten: number;
  readonly bytesRead: number;
}

/** The socket of a Thin connection; null in Thick mode. */
export function socketOf(connection: oracledb.Connection): Wire | null {
  type Inside = { readonly _impl?: { readonly nscon?: { readonly ntAdapter?: { readonly stream?: Wire } } } };
  const stream = (connection as unknown as Inside)._impl?.nscon?.ntAdapter?.stream;
  return stream && typeof stream.bytesWritten === 'number' ? stream : null;
}
