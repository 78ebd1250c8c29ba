import { startNetworkEmulator } from './network-emulator.ts';

/** A host that starts a network emulator, tells its process id, and is then killed by the test. */
const emulator = await startNetworkEmulator({ roundTripMs: 1, jitterMs: 0, mbit: 0, seed: 1 }, [
  { host: '127.0.0.1', port: 9 },
]);
process.send?.(emulator.pid);
