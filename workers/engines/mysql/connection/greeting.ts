import type { Greeting } from '#engine-api/config.ts';

/** The server speaks first: packet 0 is a handshake of version 10, or an error ("too many connections"). */
export const greeting: Greeting = {
  ask: null,
  isAnswer: (bytes) => bytes.length > 5 && bytes[3] === 0 && (bytes[4] === 10 || bytes[4] === 0xff),
};
