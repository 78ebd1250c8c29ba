import type { Greeting } from '#engine-api/config.ts';

/** What any server tells without a certificate, where it speaks http. */
export const greeting: Greeting = {
  ask: new TextEncoder().encode('GET /build/version HTTP/1.0\r\n\r\n'),
  isAnswer: (bytes) => /^HTTP\/1.*(?:Raven|"BuildVersion")/s.test(new TextDecoder('latin1').decode(bytes)),
};
