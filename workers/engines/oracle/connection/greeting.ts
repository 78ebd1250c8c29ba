import type { Greeting } from '#engine-api/config.ts';

const command = new TextEncoder().encode('(CONNECT_DATA=(COMMAND=ping))');

/** A TNS connect packet. A listener accepts it (2), refuses it (4), redirects (5) or asks for it once more (11). */
export const greeting: Greeting = {
  ask: Uint8Array.of(
    ...[0, 58 + command.length, 0, 0, 1, 0, 0, 0],
    ...[0x01, 0x36, 0x01, 0x2c, 0, 0, 0x08, 0, 0x7f, 0xff, 0x7f, 0x08, 0, 0, 0, 1],
    ...[0, command.length, 0, 58, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ...[0x34, 0xe6, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ...command,
  ),
  isAnswer: (bytes) => bytes.length >= 8 && bytes[2] === 0 && bytes[3] === 0 && [2, 4, 5, 11].includes(bytes[4] ?? 0),
};
