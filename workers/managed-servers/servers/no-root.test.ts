import { readdirSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { startKind } from '../test-kind.fixture.ts';
import { kinds } from './kinds.ts';

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

/** The processes that this one has started, except the shells that end a server whose starter has died. */
function startedHere(): readonly Running[] {
  const all = processes();
  const below = (pid: number): readonly Running[] =>
    all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid)]);
  return below(process.pid).filter(({ command }) => command !== '' && !command.includes('dyno-guard'));
}

const here = kinds.filter(({ id, engine }) => !isSkipped(id) && !isSkipped(engine));

test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0).for(here)(
  'no process of $id runs as root',
  async (kind, { skip }) => {
    const missing = await kind.missing();
    if (missing) skip(missing.what);
    const before = new Set(startedHere().map(({ pid }) => pid));
    await using server = await startKind(kind);
    const started = startedHere().filter(({ pid }) => !before.has(pid));
    expect(started.map(({ pid }) => pid)).toContain(server.pid);
    expect(started.filter(({ users }) => users.includes('0'))).toEqual([]);
  },
);
