import { connect } from 'node:net';

const withinMs = 1_000;

/**
 * True if a port of 127.0.0.1 accepts connections; if the server speaks first, it must greet as `isGreeting` expects.
 */
export function answers(port: number, isGreeting?: (greeting: Buffer) => boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(withinMs, () => end(false));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    if (isGreeting) socket.on('data', (greeting) => end(isGreeting(greeting)));
    else socket.on('connect', () => end(true));
  });
}
