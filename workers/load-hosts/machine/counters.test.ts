import { expect, test } from 'vitest';
import { growth } from './counter.ts';
import { procDisks } from './disks.ts';
import { procMemory } from './memory.ts';
import { outward, procInterfaces } from './network.ts';
import { procTimes } from './processors.ts';

const names = (text: string): readonly string[] => [...(procDisks(text)?.keys() ?? [])];

test('totals grow, wrap at 32 bits, or were reset', () => {
  expect([growth(5, 9), growth(7, 7)]).toEqual([4, 0]);
  expect(growth(2 ** 32 - 10, 20)).toBe(30);
  // A small total that goes back, and a total beyond 32 bits, have not wrapped.
  expect([growth(1_000, 3), growth(2 ** 40, 3), growth(2 ** 32 - 10, 2 ** 31)]).toEqual([null, null, null]);
});

test('processor times are read from old and new kernels', () => {
  // 6.18 with steal and guests; the guest's time is in user time already.
  expect(procTimes('cpu  1711244 738608 334180 259838 22197 0 16912 42540 100 20\ncpu0 1 1 1 1 1 1 1 1 1 1\n')).toEqual(
    {
      userMs: 24_498_520,
      systemMs: 3_510_920,
      idleMs: 2_598_380,
      ioWaitMs: 221_970,
      stealMs: 425_400,
    },
  );
  // 2.6.9 has no steal, and 2.4 no iowait.
  expect(procTimes('cpu  100 0 50 800 40 5 5\n')).toEqual({
    ...{ userMs: 1_000, systemMs: 600, idleMs: 8_000, ioWaitMs: 400, stealMs: null },
  });
  expect(procTimes('cpu  100 0 50 800\n')).toMatchObject({ userMs: 1_000, idleMs: 8_000, ioWaitMs: null });
  expect([procTimes(null), procTimes('')]).toEqual([null, null]);
});

test('memory is read in bytes, and estimated where an old kernel does not', () => {
  const kernel6 = `MemTotal:       24683656 kB
MemFree:        15574392 kB
MemAvailable:   20657468 kB
Buffers:          326096 kB
Cached:          4578760 kB
Active(anon):      54028 kB
SwapTotal:       2097148 kB
SwapFree:        1048572 kB
Dirty:               100 kB
Writeback:            20 kB
Shmem:           1000000 kB
SReclaimable:     100000 kB
HugePages_Total:       0
`;
  expect(procMemory(kernel6)).toEqual({
    totalBytes: 24_683_656 * 1_024,
    availableBytes: 20_657_468 * 1_024,
    // Shared memory is in Cached: the caches of servers are no page cache.
    cachedBytes: (326_096 + 4_578_760 + 100_000 - 1_000_000) * 1_024,
    dirtyBytes: 120 * 1_024,
    swapUsedBytes: 1_048_576 * 1_024,
  });
  const kernel2 =
    'MemTotal:        1000 kB\nMemFree:          200 kB\nBuffers:          100 kB\nCached:           300 kB\n';
  expect(procMemory(kernel2)).toMatchObject({ availableBytes: 600 * 1_024, swapUsedBytes: 0 });
  expect(procMemory(null)).toBeNull();
});

const zeros = (count: number): string => Array(count).fill('0').join(' ');

test('disks of a machine with LVM on partitions count once', () => {
  const kernel3 = `   8       0 sda 500 10 4000 250 1000 5 16000 3000 0 900 3300
   8       1 sda1 20 0 160 5 2 0 16 1 0 6 6
   8       2 sda2 480 10 3840 245 998 5 15984 2999 0 894 3294
 253       0 dm-0 480 0 3840 250 1000 0 15984 3100 0 900 3350
 253       1 dm-1 ${zeros(11)}
  11       0 sr0 ${zeros(11)}
   7       0 loop0 5 0 40 1 0 0 0 0 0 1 1
`;
  expect(names(kernel3)).toEqual(['sda']);
  expect(procDisks(kernel3)?.get('sda')).toEqual({
    ...{ reads: 500, readSectors: 4_000, readMs: 250, writes: 1_000, writtenSectors: 16_000, writeMs: 3_000 },
    ...{ busyMs: 900, flushes: null, flushMs: null },
  });
});

test('disks are told from partitions, RAID, media and hidden paths by their names', () => {
  const list = [
    'nvme0n1',
    'nvme0n1p1',
    'nvme0c0n1',
    'nvme1n1',
    'mmcblk0',
    'mmcblk0p2',
    'sdp',
    'sdp1',
    'md127',
    'md0p1',
  ];
  const others = [
    'bcache0',
    'drbd1',
    'zram0',
    'ram3',
    'fd0',
    'xvdb',
    'vda',
    'vda15',
    'dasda',
    'dasda1',
    'nbd0',
    'rbd1',
  ];
  const text = [...list, ...others].map((name, i) => `   8 ${i} ${name} ${zeros(17)}`).join('\n');
  expect(names(text)).toEqual(['nvme0n1', 'nvme1n1', 'mmcblk0', 'sdp', 'xvdb', 'vda', 'dasda', 'nbd0', 'rbd1']);
  // EC2 shows a partition without its disk, and some containers nothing but a mapped device.
  expect(names(`202 1 xvda1 ${zeros(17)}`)).toEqual(['xvda1']);
  expect(names(`253 0 dm-0 ${zeros(17)}`)).toEqual(['dm-0']);
});

test('flushes are read since Linux 5.5, and partitions of Linux 2.6 with four fields are left out', () => {
  const vda = '254 0 vda 1110888 87606 17843266 3941990 3862178 1546126 164253240 4458002 0 1214380 9309401';
  expect(procDisks(`${vda} 1151029 340 246537704 380998 1369958 528409`)?.get('vda')).toMatchObject({
    flushes: 1_369_958,
    flushMs: 528_409,
  });
  expect(procDisks(`${vda} 1151029 340 246537704 380998`)?.get('vda')).toMatchObject({ flushes: null, flushMs: null });
  expect(names(`8 0 sda ${zeros(11)}\n8 1 sda1 35486 38030 38030 38030\n`)).toEqual(['sda']);
});

test('a container without disks does not report them', () => {
  expect([procDisks(null), procDisks(''), procDisks(`7 0 loop0 ${zeros(17)}`)]).toEqual([null, null, null]);
});

const interfaces = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 10921337180 8066399    0    0    0     0          0         0 10921337180 8066399    0    0    0     0       0          0
  ifb0:       0       0    0    0    0     0          0         0        0       0    0    0    0     0       0          0
  eth0:3128174059   83969    0    0    0     0          0         0  6811824   57723    0    0    0     0       0          0
 bond0: 100       1    0    0    0     0          0         0        200       0    0    0    0     0       0          0
`;

test('bytes of interfaces are read, also without a blank after the colon', () => {
  const all = procInterfaces(interfaces)!;
  expect([...all.keys()]).toEqual(['lo', 'ifb0', 'eth0', 'bond0']);
  expect(all.get('eth0')).toEqual({ receivedBytes: 3_128_174_059, sentBytes: 6_811_824 });
  expect([procInterfaces(null), procInterfaces('Inter-| Receive')]).toEqual([null, null]);
});

test('traffic counts once, at the devices; a container without devices has all but its loopback', () => {
  const all = procInterfaces(interfaces)!;
  expect([...outward(all, (name) => name === 'eth0').keys()]).toEqual(['eth0']);
  expect([...outward(all, () => false).keys()]).toEqual(['eth0', 'bond0']);
});
