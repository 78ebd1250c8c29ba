import { expect, test } from 'vitest';
import { groupFolders, limitCores, throttledMs } from './control-groups.ts';

test('the group and all that it is in are read, of the version that has the processors', () => {
  expect(groupFolders('0::/user.slice/session.scope\n')).toEqual([
    '/sys/fs/cgroup/user.slice/session.scope',
    '/sys/fs/cgroup/user.slice',
    '/sys/fs/cgroup',
  ]);
  expect(groupFolders('4:memory:/other\n3:cpu,cpuacct:/docker/abc\n0::/\n')).toEqual([
    '/sys/fs/cgroup/cpu/docker/abc',
    '/sys/fs/cgroup/cpu/docker',
    '/sys/fs/cgroup/cpu',
  ]);
  // cpuset is another controller.
  expect(groupFolders('3:cpuset:/other\n0::/\n')).toEqual(['/sys/fs/cgroup']);
  expect(groupFolders('')).toEqual(['/sys/fs/cgroup']);
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
