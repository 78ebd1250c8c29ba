import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { whole } from '#platform/whole.fixture.ts';
import { startKind } from '../test-kind.fixture.ts';
import { sharedTestServer } from '../test-server.fixture.ts';
import { kinds, usualKinds } from './kinds.ts';

vi.setConfig({ testTimeout: 240_000 });

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly users: readonly string[];
  readonly command: string;
}

/** Every process of this machine, as Linux lists it; those that end meanwhile are left out. */
const processes = (): readonly Running[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        const field = (key: string) => new RegExp(`^${key}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent: Number(field('PPid')), users: field('Uid').split(/\s+/), command }];
      } catch {
        return [];
      }
    });

/** The processes below this one, except the shells that end a server whose starter has died. */
function startedBy(starter: number): readonly Running[] {
  const all = processes();
  const below = (pid: number): readonly Running[] =>
    all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid)]);
  return below(starter).filter(({ command }) => command !== '' && !command.includes('dyno-guard'));
}

const isRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0;
const here = kinds.filter(({ id, engine }) => !isSkipped(id) && !isSkipped(engine));

test.runIf(isRootOnLinux).for(here.filter((kind) => usualKinds.includes(kind)))(
  'no process of $id runs as root',
  async (kind, { skip }) => {
    const missing = await kind.missing();
    if (missing) skip(missing.what);
    await using _ = await sharedTestServer(kind);
    const starter = readFileSync(join(process.env.DYNO_TEST_SERVERS ?? '', `${kind.id}.pid`), 'utf8');
    const started = startedBy(Number(starter));
    expect(started.length).toBeGreaterThan(0);
    expect(started.filter(({ users }) => users.includes('0'))).toEqual([]);
  },
);

test.runIf(isRootOnLinux && whole).for(here.filter((kind) => !usualKinds.includes(kind)))(
  'no process of $id runs as root',
  async (kind, { skip }) => {
    const missing = await kind.missing();
    if (missing) skip(missing.what);
    const before = new Set(startedBy(process.pid).map(({ pid }) => pid));
    await using server = await startKind(kind);
    const started = startedBy(process.pid).filter(({ pid }) => !before.has(pid));
    expect(started.map(({ pid }) => pid)).toContain(server.pid);
    expect(started.filter(({ users }) => users.includes('0'))).toEqual([]);
  },
);
