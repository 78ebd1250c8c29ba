import type { Greeting } from '#engine-api/config.ts';

/** SSLRequest. A server answers with one byte (manual, "Message Formats"), or with ErrorResponse if it is full. */
export const greeting: Greeting = {
  ask: Uint8Array.of(0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f),
  isAnswer: (bytes) =>
    bytes.length === 1 ? bytes[0] === 0x53 || bytes[0] === 0x4e : bytes[0] === 0x45 && bytes[1] === 0,
};
