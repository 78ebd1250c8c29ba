import { hash } from 'node:crypto';
import { md5PrefixOfBlock, oneBlockBytes } from '#model/batch/md5-block.ts';

/** First 4 bytes of md5(bytes[start … end)), big-endian and unsigned. */
export const md5Prefix = (bytes: Uint8Array, start: number, end: number): number =>
  end - start > oneBlockBytes
    ? hash('md5', bytes.subarray(start, end), 'buffer').readUInt32BE(0)
    : md5PrefixOfBlock(bytes, start, end);
