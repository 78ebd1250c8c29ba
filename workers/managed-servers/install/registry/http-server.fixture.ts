import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

interface Answer {
  readonly status?: number;
  readonly body?: string | Buffer;
  /** The connection breaks after the body. */
  readonly breaks?: boolean;
}

/** A server for the test that calls this: its address, and the requests that it got. */
export async function httpServer(answer: (path: string) => Answer): Promise<{ url: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    const { status = 200, body = '', breaks } = answer(request.url ?? '');
    response.writeHead(status, { 'content-length': Buffer.byteLength(body) + (breaks ? 1 : 0) });
    response.write(body, () => (breaks ? response.destroy() : response.end()));
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, seen };
}

/** A proxy that passes every connection on to `port`, whatever host was asked for. */
export async function proxyTo(port: number): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer().on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const other = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(other).pipe(socket);
    });
    for (const end of [socket, other]) end.on('error', () => {});
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, asked };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return (server.address() as AddressInfo).port;
}
