import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.fixture.ts';

const code = sourceFiles('.ts', '.tsx').filter(({ isTest }) => !isTest);
const gate = 'workers/workspace/trust/gate.ts';

/** The files of the code that match this pattern, sorted by path. */
const filesWith = (pattern: RegExp): readonly string[] =>
  code
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .toSorted();

/** The files of the table of ways to a server. */
function letThrough(): readonly string[] {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/security.md'), 'utf8');
  const part = document.slice(document.indexOf('### Ways to a server'), document.indexOf('## Boundaries'));
  return [...part.matchAll(/^\|[^|]+\| `([\w./-]+)` \|/gm)].map(([, path = '']) => path);
}

test('the table of ways to a server has every file that lets something through the gate', () => {
  const found = filesWith(/\b(?:openGate|usersConnection|builtInTarget)\(/).filter((path) => path !== gate);
  expect(found.length).toBeGreaterThan(0);
  expect(letThrough()).toEqual(expect.arrayContaining([...found]));
});

test('every file of the table exists', () => {
  const paths = new Set(code.map(({ path }) => path));
  expect(letThrough().length).toBeGreaterThan(5);
  expect(letThrough().filter((path) => !paths.has(path))).toEqual([]);
});

test('one file makes trusted targets, and one file makes configurations that workers take', () => {
  expect(filesWith(/new (?:Target|TrustedText)\(/)).toEqual([gate]);
  expect(filesWith(/\bas (?:unknown as )?(?:TrustedTarget|TrustedExperiment)\b/)).toEqual([]);
  expect(filesWith(/\bas (?:unknown as )?GuardedConfig\b/)).toEqual(['workers/orchestrator/worker/targets.ts']);
});

/**
 * Files that use the network: for servers, for tunnels and load hosts, for processes of this machine, for package
 * registries, and for programs that follow a run because the command line asks for it. Engines and their protocols run
 * only in worker processes.
 */
const networking = [
  'workers/live-series/otlp-sender.ts',
  'workers/live-series/prometheus-endpoint.ts',
  'workers/load-hosts/bus/connect-bus.ts',
  'workers/managed-servers/install/fetch-maven.ts',
  'workers/managed-servers/install/registry/download.ts',
  'workers/managed-servers/process/free-port.ts',
  'workers/managed-servers/process/port-answers.ts',
  'workers/managed-servers/supervisor-client.ts',
  'workers/managed-servers/supervisor.ts',
  'workers/network-emulator/emulator-process.ts',
  'workers/orchestrator/check/check-network.ts',
  'workers/orchestrator/check/who-answers.ts',
  'workers/tunnels/socks-tunnel-process.ts',
  'workers/tunnels/socks5.ts',
  'workers/tunnels/ssh-tunnel-process.ts',
  'workers/workspace/connections/look-up-servers.ts',
];

test('no other file uses the network', () => {
  const imports =
    /^import (?!type)(?![^;]*\{(?: type \w+,?)+ \})[^;]*'(?:node:(?:net|tls|dns|dns\/promises|https?|http2|dgram)|@nats-io\/transport-node)';|\bfetch\(/m;
  const found = filesWith(imports).filter((path) => !/^(?:workers\/(?:engines|drda|runner)|renderer|e2e)\//.test(path));
  expect(found).toEqual(networking);
});
