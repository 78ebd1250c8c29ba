import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makePrivateFolder } from './private-folder.ts';

let temporary: string;
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'dyno-test-'));
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
});

test('the folder is its user’s alone, and each call makes another one', () => {
  const [one, other] = [makePrivateFolder('test'), makePrivateFolder('test')];
  expect(one).not.toBe(other);
  expect(statSync(one).mode & 0o777).toBe(0o700);
  expect(existsSync(one)).toBe(true);
});

test('folders of processes that are gone are deleted, all others stay', () => {
  const gone = spawnSync('true').pid;
  const made = (name: string) => {
    const folder = join(temporary, name);
    mkdirSync(join(folder, 'inside'), { recursive: true });
    return folder;
  };
  const left = made(`dyno-test-${hostname()}-${gone}-abc123`);
  const kept = [
    made(`dyno-test-${hostname()}-${process.pid}-abc123`),
    made(`dyno-test-${hostname()}-${gone}-abc123-by-hand`),
    made(`dyno-test-another.${hostname()}-${gone}-abc123`),
    made(`dyno-other-${hostname()}-${gone}-abc123`),
  ];
  makePrivateFolder('test');
  expect(existsSync(left)).toBe(false);
  expect(kept.filter((folder) => !existsSync(folder))).toEqual([]);
});
