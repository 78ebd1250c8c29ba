import type { ReadConcernLike, TransactionOptions, WriteConcernSettings } from 'mongodb';
import type { MongoConfig } from '../config.ts';
import type { MongoOptions } from '../options.ts';

/** Null: the target decides. The target's time-out holds in any case. */
export function writeConcernOf(
  { writeConcern }: MongoOptions,
  { wtimeoutMs }: MongoConfig,
): WriteConcernSettings | null {
  const wtimeoutMS = wtimeoutMs > 0 ? { wtimeoutMS: wtimeoutMs } : {};
  switch (writeConcern) {
    case 'asTarget':
      return null;
    case 'w1':
      return { w: 1, journal: false, ...wtimeoutMS };
    case 'journaled':
      return { w: 1, journal: true, ...wtimeoutMS };
    case 'majority':
      return { w: 'majority', ...wtimeoutMS };
  }
}

export const readConcernOf = ({ readConcern }: MongoOptions): ReadConcernLike | null =>
  readConcern === 'asTarget' ? null : { level: readConcern };

/** A transaction has no other read concerns, and its reads go to the primary. */
export function transactionOptions(options: MongoOptions, config: MongoConfig): TransactionOptions {
  const writeConcern = writeConcernOf(options, config);
  const level = options.readConcern === 'asTarget' ? config.readConcernLevel : options.readConcern;
  const fits = level === 'local' || level === 'majority' || level === 'snapshot';
  return {
    readPreference: 'primary',
    ...(writeConcern && { writeConcern }),
    ...(fits && { readConcern: { level } }),
  };
}
