import type { Greeting } from '#engine-api/config.ts';

/** Every server that speaks http gives this answer without a certificate. */
export const greeting: Greeting = {
  ask: new TextEncoder().encode('GET /build/version HTTP/1.0\r\n\r\n'),
  isAnswer: (bytes) => /^HTTP\/1.*(?:Raven|"BuildVersion")/s.test(new TextDecoder('latin1').decode(bytes)),
};
