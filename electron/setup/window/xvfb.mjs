import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onPath } from './system-packages.mjs';
import { unpackedEnvironment, unpackedXvfb } from './unpacked-packages.mjs';

const startWithinMs = 30_000;

export const hasXvfb = () => (onPath('Xvfb') ?? unpackedXvfb()) !== null;

/**
 * Starts Xvfb, a display without a screen, and runs `use` with its environment. It listens on local sockets only, has a
 * random password, and ends with `use`.
 */
export async function withXvfb(use) {
  const folder = await mkdtemp(join(tmpdir(), 'dyno-display-'));
  const authority = join(folder, 'authority');
  await writeFile(authority, authorityRecord(randomBytes(16)), { mode: 0o600 });
  const installed = onPath('Xvfb');
  const xvfb = installed ? { program: installed, args: [], cwd: folder } : unpackedXvfb();
  if (xvfb === null) throw new Error('There is no Xvfb.');
  const { program, args, cwd } = xvfb;
  const child = spawn(
    program,
    // -noreset: an X server that resets itself after its last client rejects a client that connects at that moment.
    [...args, '-displayfd', '3', '-screen', '0', '1920x1200x24', '-nolisten', 'tcp', '-noreset', '-auth', authority],
    { cwd, env: { ...process.env, ...unpackedEnvironment() }, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise((done) => child.once('close', done));
  try {
    const display = await displayOf(child);
    return await use({ DISPLAY: `:${display}`, XAUTHORITY: authority, WAYLAND_DISPLAY: '' });
  } finally {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Resolves with the display's number, which Xvfb writes to the descriptor of -displayfd once it accepts connections.
 */
function displayOf(child) {
  return new Promise((done, failed) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-4_000);
    });
    const timer = setTimeout(() => failed(new Error(`Xvfb did not start within 30 s:\n${said.trim()}`)), startWithinMs);
    let number = '';
    child.stdio[3].setEncoding('utf8').on('data', (text) => {
      number += text;
      if (!number.endsWith('\n')) return;
      clearTimeout(timer);
      done(number.trim());
    });
    child.once('error', failed);
    child.once('close', (code) => {
      clearTimeout(timer);
      failed(new Error(`Xvfb ended at once (${code}):\n${said.trim()}`));
    });
  });
}

/**
 * A record of an X authority file (Xau): the cookie of every address (FamilyWild) and display; numbers are uint16 BE.
 */
function authorityRecord(cookie) {
  const counted = (bytes) => Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
  const familyWild = Buffer.from([0xff, 0xff]);
  const empty = Buffer.alloc(0);
  const name = Buffer.from('MIT-MAGIC-COOKIE-1');
  return Buffer.concat([familyWild, counted(empty), counted(empty), counted(name), counted(cookie)]);
}
