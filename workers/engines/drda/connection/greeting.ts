import type { Greeting } from '#engine-api/config.ts';

/** EXCSAT without parameters. Every server answers with a DSS (0xD0), if only with an error. */
export const greeting: Greeting = {
  ask: Uint8Array.of(0, 10, 0xd0, 1, 0, 1, 0, 4, 0x10, 0x41),
  isAnswer: (bytes) => bytes.length >= 10 && bytes[2] === 0xd0 && !(bytes[8] === 0x10 && bytes[9] === 0x41),
};
