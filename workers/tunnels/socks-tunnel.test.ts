import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Endpoint } from '#engine-api/config.ts';
import { failureOf } from '#engines/shared/failure.fixture.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { childEnvironment } from '#platform/child-environment.ts';
import { listening } from '#platform/listening.fixture.ts';
import { procOf } from '#platform/processes.fixture.ts';
import { startProxy } from './socks-proxy.fixture.ts';
import { openSocksTunnel } from './socks-tunnel.ts';
import type { OpenSocks } from './socks5.ts';

vi.setConfig({ testTimeout: 60_000 });

const never = new AbortController().signal;
const lost = new DynoError('serverGone', 'Connection terminated').data;
const failure = failureOf({ toError: toErrorData });
const login = { user: 'ann', password: 'pässwört' };

async function goneSoon(pids: readonly number[]): Promise<boolean> {
  const isThere = (pid: number) => !['Z', undefined].includes(procOf(pid)?.state);
  for (let i = 0; i < 100 && pids.some(isThere); i++) await sleep(100);
  return !pids.some(isThere);
}

describe('a tunnel through a SOCKS proxy', () => {
  let echo: Endpoint;
  beforeTests(async (opened) => {
    const server = opened.use(
      await listening((socket) => {
        // The server speaks first, as some do.
        socket.write('hello ');
        socket.pipe(socket);
      }),
    );
    echo = { host: '127.0.0.1', port: server.port };
  });

  const opened = async (socks: Partial<OpenSocks> & { readonly port: number }, to: readonly Endpoint[] = [echo]) => {
    const tunnel = await openSocksTunnel({ host: '127.0.0.1', ...socks }, to, never);
    onTestFinished(() => tunnel[Symbol.asyncDispose]());
    return tunnel;
  };
  const socketTo = (to: Endpoint): Socket => {
    const socket = connect(to).on('error', () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  /** The text that the socket sends until it ends; the test sends `text` first, and then ends its side. */
  const conversation = async (to: Endpoint, text: string): Promise<string> => {
    const socket = socketTo(to);
    socket.end(text);
    let heard = '';
    for await (const part of socket) heard += String(part);
    return heard;
  };
  const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()).resume());

  test.each([
    ['without a login', {}, {}],
    ['with one', { login }, login],
    ['with one that the proxy does not ask for', {}, login],
  ])('passes connections on %s, and ends with its process', async (_, proxyOptions, given) => {
    await using proxy = await startProxy({ ...proxyOptions, names: { 'db.internal': echo } });
    const named = { host: 'db.internal', port: 5_432 };
    const tunnel = await openSocksTunnel({ host: '127.0.0.1', port: proxy.port, ...given }, [echo, named], never);
    // Nothing was asked of any server yet.
    expect([proxy.greetings(), proxy.requests]).toEqual([1, []]);
    const long = 'x'.repeat(1_000_000);
    expect((await conversation(tunnel.instead(echo), long)) === `hello ${long}`).toBe(true);
    // The proxy looks the name up.
    expect(await conversation(tunnel.instead(named), 'far')).toBe('hello far');
    expect(proxy.requests).toEqual([`127.0.0.1:${echo.port}`, 'db.internal:5432']);
    expect(tunnel.pids).toHaveLength(1);
    await tunnel[Symbol.asyncDispose]();
    expect(await goneSoon(tunnel.pids)).toBe(true);
  });

  test.each([
    ['another password', { ...login, password: 'other' }, /refuses the login/, /^Check the user and the password/],
    ['no user', {}, /without another login/, /^It asks for a user/],
  ])('is not opened with %s', async (_, given, message, hint) => {
    await using proxy = await startProxy({ login });
    const error = await failure(openSocksTunnel({ host: '127.0.0.1', port: proxy.port, ...given }, [echo], never));
    expect(error).toMatchObject({
      kind: 'authentication',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
    expect(JSON.stringify(error)).not.toContain('other"');
  });

  test('names a proxy that does not answer, and what is none', async () => {
    const open = (port: number) => failure(openSocksTunnel({ host: '127.0.0.1', port }, [echo], never));
    expect(await open(1)).toMatchObject({
      kind: 'unreachable',
      message: 'The SOCKS proxy 127.0.0.1:1 does not answer: ECONNREFUSED.',
    });
    await using http = await listening((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await open(http.port)).toMatchObject({ kind: 'unreachable', message: expect.stringMatching(/no SOCKS5/) });
  });

  test.each([0, 1])('does not wait for a proxy that hangs up after %i bytes of its greeting', async (hangUpAfter) => {
    await using proxy = await startProxy({ hangUpAfter });
    const error = await failure(openSocksTunnel({ host: '127.0.0.1', port: proxy.port }, [echo], never));
    expect(error).toMatchObject({ kind: 'unreachable', code: 'ECONNRESET' });
  });

  test.each([3, 7, 11])('nor for one that hangs up after %i, in its answer to a request', async (hangUpAfter) => {
    await using proxy = await startProxy({ hangUpAfter });
    const tunnel = await opened({ port: proxy.port });
    await closed(socketTo(tunnel.instead(echo)));
    expect(await tunnel.explain(lost)).toMatchObject({ kind: 'unreachable', code: 'ECONNRESET' });
  });

  test.each([
    [2, 'permission', /: not allowed by its rules\.$/],
    [4, 'unreachable', /: host unreachable\.$/],
    [99, 'unreachable', /: reply 99\.$/],
  ])('says why the proxy does not pass a connection on: reply %i', async (reply, kind, message) => {
    await using proxy = await startProxy({ reply });
    const far = { host: '2001:db8::7', port: 5_432 };
    const tunnel = await opened({ port: proxy.port }, [far]);
    await closed(socketTo(tunnel.instead(far)));
    expect(proxy.requests).toEqual(['2001:0db8:0000:0000:0000:0000:0000:0007:5432']);
    expect(await tunnel.explain(lost)).toMatchObject({ kind, message: expect.stringMatching(message) });
    // Errors of the server itself stay as they are, and so do errors that the proxy knows nothing about.
    for (const other of [new DynoError('authentication', 'no').data, lost])
      expect(await tunnel.explain(other)).toBe(other);
  });

  test('says so where the server refuses the proxy', async () => {
    await using proxy = await startProxy();
    const nobody = { host: '127.0.0.1', port: 1 };
    const tunnel = await opened({ port: proxy.port }, [nobody]);
    await closed(socketTo(tunnel.instead(nobody)));
    expect(await tunnel.explain(lost)).toMatchObject({
      kind: 'unreachable',
      message: `The SOCKS proxy 127.0.0.1:${proxy.port} does not reach 127.0.0.1:1: connection refused.`,
    });
  });

  test('whose proxy goes is a lost connection', async () => {
    const proxy = await startProxy();
    const tunnel = await opened({ port: proxy.port });
    const socket = socketTo(tunnel.instead(echo));
    await once(socket, 'data');
    const ended = closed(socket);
    await proxy[Symbol.asyncDispose]();
    await ended;
    expect(await tunnel.explain(lost)).toMatchObject({
      kind: 'serverGone',
      message: expect.stringMatching(/^The SOCKS proxy .* does not answer: ECONNREFUSED/),
    });
  });

  test('is gone when its process or the host of that is killed', async () => {
    await using proxy = await startProxy();
    const tunnel = await opened({ port: proxy.port });
    for (const pid of tunnel.pids) process.kill(pid, 'SIGKILL');
    expect(await goneSoon(tunnel.pids)).toBe(true);
    expect(await tunnel.explain(lost)).toMatchObject({ kind: 'serverGone', message: expect.stringMatching(/broke/) });

    const host = fork(new URL('./orphan.fixture.ts', import.meta.url), { env: childEnvironment(), execArgv: [] });
    host.send({ kind: 'socks', socks: { host: '127.0.0.1', port: proxy.port }, endpoints: [echo] });
    const [pids] = (await once(host, 'message')) as [readonly number[]];
    host.kill('SIGKILL');
    expect(await goneSoon(pids)).toBe(true);
  });

  test('is abandoned on a signal', async () => {
    await using silent = await listening();
    const stop = new AbortController();
    const open = openSocksTunnel({ host: '127.0.0.1', port: silent.port }, [echo], stop.signal);
    stop.abort(new DynoError('cancelled', 'Cancelled.'));
    expect((await failure(open))?.kind).toBe('cancelled');
  });
});
