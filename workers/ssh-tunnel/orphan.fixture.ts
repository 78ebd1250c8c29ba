import type { Endpoint } from '#engine-api/config.ts';
import type { Ssh } from '#model/ssh.ts';
import { openTunnel } from './tunnel.ts';

/** A host that opens a tunnel, tells its process ids, and is then killed by the test. */
process.on('message', async (message) => {
  const { ssh, endpoint } = message as { readonly ssh: Ssh; readonly endpoint: Endpoint };
  const tunnel = await openTunnel(ssh, [endpoint], new AbortController().signal);
  process.send?.(tunnel.pids);
});
