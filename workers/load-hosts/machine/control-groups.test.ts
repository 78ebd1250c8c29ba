import { expect, test } from 'vitest';
import { groupFolders, groupUse, limitBytes, limitCores, throttledMs } from './control-groups.ts';

test('the group and all that it is in are read, of the version that has the processors', () => {
  expect(groupFolders('0::/user.slice/session.scope\n', 'cpu')).toEqual([
    '/sys/fs/cgroup/user.slice/session.scope',
    '/sys/fs/cgroup/user.slice',
    '/sys/fs/cgroup',
  ]);
  expect(groupFolders('4:memory:/other\n3:cpu,cpuacct:/docker/abc\n0::/\n', 'cpu')).toEqual([
    '/sys/fs/cgroup/cpu/docker/abc',
    '/sys/fs/cgroup/cpu/docker',
    '/sys/fs/cgroup/cpu',
  ]);
  expect(groupFolders('4:memory:/other\n3:cpu,cpuacct:/docker/abc\n0::/\n', 'memory')).toEqual([
    '/sys/fs/cgroup/memory/other',
    '/sys/fs/cgroup/memory',
  ]);
  // cpuset is another controller.
  expect(groupFolders('3:cpuset:/other\n0::/\n', 'cpu')).toEqual(['/sys/fs/cgroup']);
  expect(groupFolders('', 'cpu')).toEqual(['/sys/fs/cgroup']);
});

test('limits are read in cores, with or without one', () => {
  expect(['150000 100000\n', 'max 100000\n', '50000\n 100000\n', '-1\n 100000\n', null].map(limitCores)).toEqual([
    1.5,
    null,
    0.5,
    null,
    null,
  ]);
});

test('throttling is read in its units', () => {
  expect(throttledMs('usage_usec 4\nnr_throttled 2\nthrottled_usec 2500\n')).toBe(2.5);
  expect(throttledMs('nr_periods 1\nnr_throttled 2\nthrottled_time 2500000\n')).toBe(2.5);
  expect([null, 'usage_usec 4\n'].map(throttledMs)).toEqual([null, null]);
});

test('limits of memory are read in bytes, and no limit is null in both versions', () => {
  expect(['536870912\n', 'max\n', '9223372036854771712\n', '', null].map(limitBytes)).toEqual([
    536_870_912,
    null,
    null,
    null,
    null,
  ]);
});

test('the lowest limits count, and the memory is that of the group with the lowest limit', () => {
  const none = { limitCores: null, throttledMs: null, memoryLimitBytes: null, memoryBytes: 7_000 };
  const groups = (withheldMs: number) =>
    new Map([
      ['/pod/container', { ...none, limitCores: 2, throttledMs: withheldMs }],
      ['/pod', { limitCores: 1.5, throttledMs: 10, memoryLimitBytes: 4_000, memoryBytes: 3_000 }],
      ['', { ...none, memoryLimitBytes: 9_000 }],
    ]);
  expect(groupUse(groups(100), groups(160))).toEqual({
    limitCores: 1.5,
    throttledMs: 60,
    memoryLimitBytes: 4_000,
    memoryBytes: 3_000,
  });
  expect(groupUse(new Map(), new Map([['', none]]))).toEqual({
    limitCores: null,
    throttledMs: null,
    memoryLimitBytes: null,
    memoryBytes: null,
  });
});
