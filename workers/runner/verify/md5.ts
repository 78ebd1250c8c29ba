import { hash } from 'node:crypto';
import { shortMd5Prefix, shortMessageBytes } from '#model/batch/short-md5.ts';

/** First 4 bytes of md5(bytes[start … end)), big-endian and unsigned. */
export const md5Prefix = (bytes: Uint8Array, start: number, end: number): number =>
  end - start > shortMessageBytes
    ? hash('md5', bytes.subarray(start, end), 'buffer').readUInt32BE(0)
    : shortMd5Prefix(bytes, start, end);
