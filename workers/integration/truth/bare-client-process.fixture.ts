import { Socket } from 'node:net';
import { openHighResolutionTimer } from '#runner/timing/high-resolution-timer.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { type BarePlan, workTable } from './service-plan.fixture.ts';

/**
 * A hand-written process of a hundred lines that does the same to the truth suite's server as a worker: it writes one
 * message and waits for one answer. The difference between its times and the server's log comes from Node, the kernel
 * and the machine.
 */
const { port, connections, perSecond, seconds, seed } = JSON.parse(process.argv[2]!) as BarePlan;

const text = (value: string) => Buffer.from(`${value}\0`);
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}
const version = Buffer.from([0, 3, 0, 0]);
const startup = message('', Buffer.concat([version, text('user'), text('truth'), Buffer.from([0])]));
const query = message('Q', text(`SELECT * FROM ${workTable}`));
/** ReadyForQuery, the last message of every answer. */
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** One connection; `answered` is called at the event of the answer's last bytes. */
function connect(): Promise<{ send: (answered: (nowMs: number) => void) => void }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ send: (answered: (nowMs: number) => void) => void }>();
  let answered: (nowMs: number) => void = () =>
    resolve({
      send(next) {
        answered = next;
        socket.write(query);
      },
    });
  const buffer = Buffer.allocUnsafeSlow(65_536);
  const socket: Socket = new Socket({
    onread: {
      buffer,
      callback(length) {
        const nowMs = performance.now();
        if (length >= ready.length && buffer.subarray(length - ready.length, length).equals(ready)) answered(nowMs);
        return true;
      },
    },
  });
  socket.setNoDelay(true);
  socket.on('error', reject);
  socket.connect(port, '127.0.0.1', () => socket.write(startup));
  return promise;
}

const response = new Histogram();
const idle = await Promise.all(Array.from({ length: connections }, connect));
/** Intended starts of calls that wait for a connection. */
const waiting: number[] = [];
const endMs = performance.now() + seconds * 1_000;
const over = Promise.withResolvers<void>();
let isClosing = false;

/** Starts waiting calls on idle connections. */
function dispatch(): void {
  while (idle.length > 0 && waiting.length > 0) {
    const [session, intendedMs] = [idle.shift()!, waiting.shift()!];
    session.send((nowMs) => {
      response.record(Math.round((nowMs - intendedMs) * 1e6));
      idle.push(session);
      if (perSecond === null) arrive(performance.now());
      dispatch();
      if (isClosing && idle.length === connections) over.resolve();
    });
  }
}

function arrive(dueMs: number): void {
  if (dueMs < endMs) waiting.push(dueMs);
  else isClosing = true;
}

if (perSecond === null) {
  for (let user = 0; user < connections; user++) arrive(performance.now());
  dispatch();
} else {
  const random = new Sfc32(seed);
  const timer = await openHighResolutionTimer();
  const pauseMs = () => (-Math.log(1 - random.unit()) / perSecond) * 1_000;
  let dueMs = performance.now() + pauseMs();
  timer.onExpiry = () => {
    for (; dueMs <= performance.now() && !isClosing; dueMs += pauseMs()) arrive(dueMs);
    dispatch();
    if (!isClosing) timer.setAt(dueMs);
    else if (idle.length === connections) over.resolve();
  };
  timer.setAt(dueMs);
}
await over.promise;
process.send?.(response.encode(), () => process.exit());
