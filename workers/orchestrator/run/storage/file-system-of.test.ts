import { expect, it } from 'vitest';
import { typeIn } from './file-system-of.ts';

const mounts = [
  '22 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
  '23 22 0:21 / /dev/shm rw,nosuid shared:3 master:1 - tmpfs tmpfs rw',
  '24 22 8:1 / /data rw - ext4 /dev/sda1 rw',
  '25 24 8:2 / /data rw - xfs /dev/sdb1 rw',
  '26 22 8:3 / /with\\040space rw - btrfs /dev/sdc1 rw',
  'a line of another form',
].join('\n');

it.each([
  ['/home/a/.local/share/dyno', 'ext4'],
  ['/dev/shm/dyno', 'tmpfs'],
  ['/dev/shm', 'tmpfs'],
  ['/dev/shmother', 'ext4'],
  ['/data/dyno', 'xfs'],
  ['/with space/dyno', 'btrfs'],
])('the innermost mount above %s has the type %s', (folder, type) => {
  expect(typeIn(mounts, folder)).toBe(type);
});

it('the type is unknown where no mount is above the folder', () => {
  expect(typeIn('23 22 0:21 / /dev/shm rw - tmpfs tmpfs rw', '/home')).toBeNull();
});
