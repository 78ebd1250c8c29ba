import type { Greeting } from '#engine-api/config.ts';

/** A PRELOGIN packet with version and encryption ([MS-TDS] 2.2.6.5); the answer is a packet of type 4. */
export const greeting: Greeting = {
  ask: Uint8Array.of(
    ...[0x12, 1, 0, 26, 0, 0, 0, 0],
    ...[0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff],
    ...[16, 0, 0, 0, 0, 0, 2],
  ),
  isAnswer: (bytes) => bytes.length > 8 && bytes[0] === 4 && bytes[1] === 1 && bytes[4] === 0 && bytes[5] === 0,
};
