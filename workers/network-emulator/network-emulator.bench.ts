import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Endpoint } from '#engine-api/config.ts';
import { startEchoServer } from '#runner/timing/echo.fixture.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { median } from '#stats/intervals/summary.ts';
import { startNetworkEmulator } from './network-emulator.ts';

/**
 * Measures what the network emulator costs, and how well it keeps the time: an echo server, asked directly and through
 * an emulator that adds nothing (in turns, so that both meet the same machine), then through emulators that add
 * something.
 */
const turns = 7;
const secondsPerTurn = 0.4;
const mebibytes = 64;

await using server = await startEchoServer();
const direct: Endpoint = { host: '127.0.0.1', port: server.port };

async function open(endpoint: Endpoint): Promise<Socket> {
  const socket = connect({ ...endpoint, noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** µs per round trip of 100 bytes, the median of all. */
async function roundTripUs(endpoint: Endpoint, seconds = secondsPerTurn): Promise<number> {
  const socket = await open(endpoint);
  const request = Buffer.alloc(100);
  const times: number[] = [];
  const end = performance.now() + seconds * 1e3;
  await new Promise<void>((resolve) => {
    let start = 0;
    const ask = () => {
      start = performance.now();
      socket.write(request);
    };
    socket.on('data', () => {
      times.push((performance.now() - start) * 1e3);
      if (performance.now() < end) ask();
      else resolve();
    });
    ask();
  });
  socket.destroy();
  return median(times);
}

/** MB (10^6) per second that go out and come back. */
async function megabytesPerSecond(endpoint: Endpoint): Promise<number> {
  const socket = await open(endpoint);
  const total = mebibytes * 2 ** 20;
  const start = performance.now();
  let left = total;
  socket.write(Buffer.alloc(total));
  await new Promise<void>((resolve) => {
    socket.on('data', (data: Buffer) => {
      left -= data.length;
      if (left === 0) resolve();
    });
  });
  socket.destroy();
  return total / 1e3 / (performance.now() - start);
}

const through = async <T>(
  roundTripMs: number,
  use: (emulator: Endpoint, report: () => Promise<string>) => Promise<T>,
) => {
  await using emulator = await startNetworkEmulator({ roundTripMs, jitterMs: 0, mbit: 0, seed: 1 }, [direct]);
  emulator.begin();
  return await use(emulator.instead(direct), async () => {
    const { added, utilisation } = await emulator.report();
    const histogram = Histogram.decode(added);
    const [p50, p99] = [50, 99].map((p) => (histogram.percentile(p) / 1e6).toFixed(3).padStart(8));
    return `${p50}  ${p99}  ${(utilisation * 100).toFixed(1).padStart(9)} %`;
  });
};

const [directUs, emulatedUs, directMb, emulatedMb]: [number[], number[], number[], number[]] = [[], [], [], []];
await through(0, async (emulator) => {
  for (let turn = 0; turn < turns; turn++) {
    const order = turn % 2 === 0 ? [direct, emulator] : [emulator, direct];
    for (const endpoint of order) {
      (endpoint === direct ? directUs : emulatedUs).push(await roundTripUs(endpoint));
      (endpoint === direct ? directMb : emulatedMb).push(await megabytesPerSecond(endpoint));
    }
  }
});
const pairs = (a: readonly number[], b: readonly number[]) => median(a.map((one, i) => b[i]! - one));
console.log(`nothing added             direct   through the emulator   difference (median of ${turns} pairs)`);
console.log(
  `round trip, 100 bytes   ${median(directUs).toFixed(0).padStart(5)} µs  ${median(emulatedUs).toFixed(0).padStart(14)} µs   ${pairs(directUs, emulatedUs).toFixed(0)} µs`,
);
console.log(
  `${mebibytes} MiB there and back   ${median(directMb).toFixed(0).padStart(4)} MB/s  ${median(emulatedMb).toFixed(0).padStart(12)} MB/s   ${median(directMb.map((one, i) => emulatedMb[i]! / one)).toFixed(2)} ×`,
);
console.log('');
console.log('set, ms   seen by the client, p50   added, p50   added, p99   emulator busy');
for (const ms of [0.1, 0.5, 1, 5, 20, 50])
  await through(ms, async (emulator, report) => {
    const seen = (await roundTripUs(emulator, 1)) / 1e3;
    console.log(`${String(ms).padStart(7)}   ${seen.toFixed(3).padStart(23)}   ${await report()}`);
  });
