import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';

/** Another process that sends back what it gets, over the loopback interface. */
export async function startEchoServer(): Promise<{ readonly port: number } & AsyncDisposable> {
  const program =
    "require('net').createServer({noDelay:true},(s)=>s.pipe(s)).listen(0,'127.0.0.1',function(){console.log(this.address().port)})";
  const server = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = await once(server.stdout, 'data');
  return {
    port: Number(text),
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}

const messageBytes = 100;

/** A session whose calls send a message and wait until as many bytes have come back, in the order of sending. */
export async function openEchoSession(
  port: number,
): Promise<{ readonly session: Session; readonly operation: Operation }> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const message = Buffer.alloc(messageBytes, 1);
  const waiting: ((rows: number) => void)[] = [];
  let bytes = 0;
  socket.on('data', (chunk) => {
    for (bytes += chunk.length; bytes >= messageBytes; bytes -= messageBytes) waiting.shift()?.(1);
  });
  const operation: Operation = {
    encode: () => null,
    run() {
      socket.write(message);
      return new Promise<number>((resolve) => {
        waiting.push(resolve);
      });
    },
  };
  const session: Session = {
    prepare: async () => operation,
    begin() {},
    commit() {},
    rollback() {},
    cancel: async () => {},
    wireBytes: () => null,
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
  return { session, operation };
}
