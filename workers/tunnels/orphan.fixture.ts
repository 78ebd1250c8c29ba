import { openTunnel, type PlannedTunnel } from './open-tunnel.ts';

/** A host that opens a tunnel, tells its process ids, and is then killed by the test. */
process.on('message', async (message) => {
  const tunnel = await openTunnel(message as PlannedTunnel, new AbortController().signal);
  process.send?.(tunnel.pids);
});
