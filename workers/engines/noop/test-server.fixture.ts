import type { StartTestServer } from '../conformance/test-server.ts';

export const startTestServer: StartTestServer = async () => ({
  raw: {},
  values: [],
  slow: { raw: { delayMs: 60_000 }, method: 'prepared', rows: 1 },
  foreign: null,
  [Symbol.asyncDispose]: async () => {},
});
