import { startRelay } from './relay.ts';

/** A host that starts a relay, tells its process id, and is then killed by the test. */
const relay = await startRelay({ roundTripMs: 1, jitterMs: 0, mbit: 0, seed: 1 }, [{ host: '127.0.0.1', port: 9 }]);
process.send?.(relay.pid);
