import { expect, test } from 'vitest';
import { type Ssh, sshProblems, sshText } from './ssh.ts';
import { throughTunnel } from './tunnel.ts';

const wrongParts = (ssh: Ssh) => sshProblems(ssh).map(({ part }) => part);

test.each([
  { host: 'bastion' },
  { host: '192.0.2.7', port: 2_222, user: 'deploy' },
  { host: 'fe80::1', user: 'CORP\\ann', identityFile: '~/.ssh/id_ed25519' },
  { host: 'b.example.com', jump: 'j.example.com,admin@k.example.com:2222,[::1]:22' },
])('%j is an SSH server', (ssh) => {
  expect(sshProblems(ssh)).toEqual([]);
});

test.each([
  [{ host: '' }, 'host'],
  [{ host: '-oProxyCommand=touch x' }, 'host'],
  [{ host: 'a;touch x' }, 'host'],
  [{ host: '$(touch x)' }, 'host'],
  [{ host: 'a b' }, 'host'],
  [{ host: 'a', user: '-lroot' }, 'user'],
  [{ host: 'a', user: 'x`id`' }, 'user'],
  [{ host: 'a', user: 'x\\' }, 'user'],
  [{ host: 'a', port: 0 }, 'port'],
  [{ host: 'a', port: 1.5 }, 'port'],
  [{ host: 'a', identityFile: 'a\nb' }, 'identityFile'],
  [{ host: 'a', identityFile: '-----BEGIN OPENSSH PRIVATE KEY-----' }, 'identityFile'],
  [{ host: 'a', jump: '-x' }, 'jump'],
  [{ host: 'a', jump: 'b;c' }, 'jump'],
  [{ host: 'a', jump: 'b,,c' }, 'jump'],
])('%j is none, and the problem names the part', (ssh, part) => {
  expect(wrongParts(ssh)).toEqual([part]);
});

test('is shown as a user writes it', () => {
  expect(sshText({ host: 'b', user: 'u', port: 2_222 })).toBe('u@b:2222');
  expect(sshText({ host: '::1', port: 22 })).toBe('[::1]:22');
  expect(throughTunnel('db:5432/x', { ssh: { host: 'b' } })).toBe('db:5432/x through SSH b');
  expect(throughTunnel('db:5432/x', {})).toBe('db:5432/x');
});
