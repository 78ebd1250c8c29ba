import type { Greeting } from '#engine-api/config.ts';

/** OP_MSG { hello: 1, $db: 'admin' }, which needs no login; the answer is an OP_MSG (2013) that names the request. */
export const greeting: Greeting = {
  ask: Uint8Array.of(
    ...[52, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xdd, 0x07, 0, 0, 0, 0, 0, 0, 0],
    ...[31, 0, 0, 0],
    ...[0x10, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0, 1, 0, 0, 0],
    ...[0x02, 0x24, 0x64, 0x62, 0, 6, 0, 0, 0, 0x61, 0x64, 0x6d, 0x69, 0x6e, 0, 0],
  ),
  isAnswer: (bytes) =>
    bytes.length >= 16 && bytes[8] === 1 && bytes[12] === 0xdd && bytes[13] === 0x07 && bytes[14] === 0,
};
