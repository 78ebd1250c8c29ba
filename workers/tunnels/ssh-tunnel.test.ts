import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Endpoint } from '#engine-api/config.ts';
import { failureOf } from '#engines/shared/failure.fixture.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import type { Ssh } from '#model/ssh.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { childEnvironment } from '#platform/child-environment.ts';
import { listening } from '#platform/listening.fixture.ts';
import { allProcs, commandOf, procOf } from '#platform/processes.fixture.ts';
import { openSshTunnel } from './ssh-tunnel.ts';
import { describeWithSshd, startSshd, type TestSshd } from './sshd.fixture.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const never = new AbortController().signal;
const lost = new DynoError('serverGone', 'Connection terminated').data;

const failure = failureOf({ toError: toErrorData });

async function goneSoon(pids: readonly number[]): Promise<boolean> {
  const isThere = (pid: number) => !['Z', undefined].includes(procOf(pid)?.state);
  for (let i = 0; i < 100 && pids.some(isThere); i++) await sleep(100);
  return !pids.some(isThere);
}

test('without the program ssh it says what to install', async () => {
  vi.stubEnv('PATH', '/nowhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  const error = await failure(openSshTunnel({ host: 'bastion.example' }, [], never));
  expect(error).toMatchObject({ kind: 'unsupported', code: 'ENOENT', hint: expect.stringContaining('openssh-client') });
});

describeWithSshd('a tunnel', () => {
  let sshd: TestSshd;
  let echo: Awaited<ReturnType<typeof listening>>;
  let endpoint: Endpoint;
  beforeTests(async (opened) => {
    sshd = opened.use(await startSshd());
    echo = opened.use(await listening((socket) => void socket.pipe(socket)));
    opened.defer(() => void vi.unstubAllEnvs());
    endpoint = { host: '127.0.0.1', port: echo.port };
  });
  beforeEach(() => {
    vi.stubEnv('PATH', sshd.path);
    writeFileSync(sshd.knownHosts, sshd.hostKey);
  });

  const opened = async (more: Partial<Ssh> = {}, to: Endpoint = endpoint) => {
    const tunnel = await openSshTunnel({ ...sshd.ssh, ...more }, [to], never);
    onTestFinished(() => tunnel[Symbol.asyncDispose]());
    return tunnel;
  };
  const socketTo = async (to: Endpoint): Promise<Socket> => {
    const socket = connect({ ...to, noDelay: true });
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const answer = async (socket: Socket, text: string): Promise<string> => {
    socket.write(text);
    const [data] = (await once(socket, 'data')) as [Buffer];
    return data.toString();
  };
  const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()).resume());

  test('passes connections on to a server that the SSH host reaches, and ends with its processes', async () => {
    const tunnel = await openSshTunnel(sshd.ssh, [endpoint], never);
    const to = tunnel.instead(endpoint);
    expect(to).toMatchObject({ host: '127.0.0.1' });
    const [a, b] = [await socketTo(to), await socketTo(to)];
    expect(await answer(a, 'one')).toBe('one');
    expect(await answer(b, 'two')).toBe('two');
    const { pids } = tunnel;
    expect(pids).toHaveLength(2);
    const ended = closed(a);
    await tunnel[Symbol.asyncDispose]();
    await ended;
    expect(await goneSoon(pids)).toBe(true);
  });

  test('goes through jump hosts', async () => {
    const { port, user } = sshd.ssh;
    // Under another name than the last host's, or ssh calls it a loop.
    const tunnel = await opened({ jump: `${user}@localhost:${port}` });
    expect(await answer(await socketTo(tunnel.instead(endpoint)), 'far')).toBe('far');
  });

  test('refuses a host that known_hosts does not have, and does not add it', async () => {
    writeFileSync(sshd.knownHosts, '');
    const error = await failure(openSshTunnel(sshd.ssh, [endpoint], never));
    expect(error).toMatchObject({
      kind: 'tls',
      message: expect.stringContaining('Host key verification failed'),
      hint: expect.stringContaining(`ssh -p ${sshd.ssh.port} ${sshd.ssh.user}@127.0.0.1`),
    });
    expect(readFileSync(sshd.knownHosts, 'utf8')).toBe('');
  });

  test('refuses a host whose key is another one', async () => {
    const stranger = readFileSync(sshd.file('stranger.pub'), 'utf8').split(' ').slice(0, 2).join(' ');
    writeFileSync(sshd.knownHosts, `[127.0.0.1]:${sshd.ssh.port} ${stranger}\n`);
    const error = await failure(openSshTunnel(sshd.ssh, [endpoint], never));
    expect(error).toMatchObject({
      kind: 'tls',
      hint: expect.stringContaining('another key than the one in known_hosts'),
    });
  });

  test('names a key that the host does not accept', async () => {
    const error = await failure(openSshTunnel({ ...sshd.ssh, user: 'nobody' }, [endpoint], never));
    expect(error).toMatchObject({
      kind: 'authentication',
      message: expect.stringContaining('Permission denied'),
      hint: expect.stringContaining('ssh-add'),
    });
  });

  test('names a host that does not answer', async () => {
    const error = await failure(openSshTunnel({ host: '127.0.0.1', port: 1 }, [endpoint], never));
    expect(error).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('Connection refused') });
    const unknown = await failure(openSshTunnel({ host: 'no-such-host.invalid' }, [endpoint], never));
    expect(unknown).toMatchObject({ kind: 'unreachable', hint: expect.stringContaining('No host of that name') });
  });

  test('says so where the SSH host does not reach the server', async () => {
    const nobody = { host: '127.0.0.1', port: 1 };
    const tunnel = await opened({}, nobody);
    await closed(await socketTo(tunnel.instead(nobody)));
    expect(await tunnel.explain(lost)).toMatchObject({
      kind: 'unreachable',
      message: expect.stringMatching(/does not reach 127\.0\.0\.1:1: connect failed: Connection refused/),
    });
    // Errors of the server itself stay as they are.
    const refused = new DynoError('authentication', 'no').data;
    expect(await tunnel.explain(refused)).toBe(refused);
  });

  test('says so where the SSH server forbids it', async () => {
    await using strict = await startSshd('AllowTcpForwarding no');
    vi.stubEnv('PATH', strict.path);
    const tunnel = await openSshTunnel(strict.ssh, [endpoint], never);
    onTestFinished(() => tunnel[Symbol.asyncDispose]());
    await closed(await socketTo(tunnel.instead(endpoint)));
    expect(await tunnel.explain(lost)).toMatchObject({
      kind: 'permission',
      hint: expect.stringContaining('AllowTcpForwarding'),
    });
  });

  test('that breaks is a lost connection', async () => {
    const tunnel = await opened();
    const socket = await socketTo(tunnel.instead(endpoint));
    await answer(socket, 'here');
    sshd.dropSessions();
    await closed(socket);
    expect(await tunnel.explain(lost)).toMatchObject({
      kind: 'serverGone',
      message: expect.stringMatching(/^The SSH tunnel through .* broke: /),
    });
  });

  const jumpHost = () => `${sshd.ssh.user}@localhost:${sshd.ssh.port}`;
  test.each([
    ['its host is killed', {}, false],
    ['its host and the process that holds ssh are killed in one moment', {}, true],
    ['both are killed, and ssh goes through a jump host', { jump: jumpHost }, true],
  ])('is gone when %s', async (_, { jump }: { readonly jump?: () => string }, holderToo) => {
    const host = fork(new URL('./orphan.fixture.ts', import.meta.url), {
      env: { ...childEnvironment(), PATH: sshd.path },
      execArgv: [],
    });
    host.send({ kind: 'ssh', ssh: { ...sshd.ssh, ...(jump && { jump: jump() }) }, endpoints: [endpoint] });
    const [pids] = (await once(host, 'message')) as [readonly number[]];
    expect(pids).toHaveLength(2);
    const [holder = 0, ssh = 0] = pids;
    const ofSsh = allProcs().flatMap(({ pid, parent }) => (parent === ssh ? [pid] : []));
    host.kill('SIGKILL');
    if (holderToo) process.kill(holder, 'SIGKILL');
    expect(await goneSoon([...pids, ...ofSsh])).toBe(true);
  });

  test('is gone when the process that holds ssh is killed', async () => {
    const tunnel = await opened();
    const [holder = 0, ssh = 0] = tunnel.pids;
    expect(commandOf(ssh)).toContain('ExitOnForwardFailure=yes');
    process.kill(holder, 'SIGKILL');
    expect(await goneSoon([holder, ssh])).toBe(true);
    expect(await tunnel.explain(lost)).toMatchObject({ kind: 'serverGone' });
  });

  test('is abandoned on a signal', async () => {
    await using silent = await listening();
    const stop = new AbortController();
    setTimeout(() => stop.abort(new DynoError('cancelled', 'Cancelled.')), 300);
    const { user } = sshd.ssh;
    const error = await failure(
      openSshTunnel({ host: '127.0.0.1', port: silent.port, user: user! }, [endpoint], stop.signal),
    );
    expect(error?.kind).toBe('cancelled');
    const left = allProcs().filter(({ pid }) => commandOf(pid).includes(`-p ${silent.port} `));
    expect(await goneSoon(left.map(({ pid }) => pid))).toBe(true);
  });
});
