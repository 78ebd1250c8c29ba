import { expect, test } from 'vitest';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { codePoints } from '../ddm/code-points.ts';
import { readObjects } from '../ddm/read-objects.ts';
import { bytesObject } from '../ddm/write-objects.ts';
import { DrdaError } from '../errors.ts';
import { seeded } from '../random.fixture.ts';
import { ddm, dss, objectType, RequestReader, replyType } from '../server.fixture.ts';
import { FrameReader } from './read-frames.ts';
import { beginFrame, endFrame, requestFrame } from './write-frames.ts';

/** Around the ends of a DSS and its segments, and of a short length. */
const sizes = [0, 1, 32_750, 32_756, 32_757, 32_758, 32_762, 32_763, 65_515, 65_522, 65_523, 65_524, 98_300, 200_000];

test.each(sizes)('an object of %i bytes is read by the server as it was written', (size) => {
  const content = seeded(size).bytes(size);
  const to = new ByteWriter();
  const frame = beginFrame(to, requestFrame, 7);
  bytesObject(to, codePoints.SQLSTT, content);
  endFrame(to, frame, 0);
  const [chain] = new RequestReader().push(to.copy());
  expect(chain).toHaveLength(1);
  expect(chain![0]!.correlation).toBe(7);
  expect(Buffer.compare(chain![0]!.value, content)).toBe(0);
});

test.each(sizes)('an object of %i bytes is read from a server, however its bytes are cut into chunks', (size) => {
  const random = seeded(size + 1);
  const content = random.bytes(size);
  const stream = Buffer.concat([
    dss(replyType, 1, true, ddm(codePoints.ENDUOWRM)),
    dss(objectType, 2, false, ddm(codePoints.QRYDTA, content)),
    dss(objectType, 3, false, ddm(codePoints.SQLCARD, Buffer.of(0xff))),
  ]);
  const found: [number, boolean, number, Buffer][] = [];
  const reader = new FrameReader(1_000_000, (correlation, more, buffer, start, end) =>
    readObjects(buffer, start, end, (codePoint, bytes, from, to) => {
      found.push([correlation, more, codePoint, Buffer.from(bytes.subarray(from, to))]);
    }),
  );
  for (let at = 0; at < stream.length; ) {
    const length = random.pick([1, 2, 5, 6, 7, 1_000, 32_767, 65_536]);
    reader.push(Buffer.from(stream.subarray(at, at + length)));
    at += length;
  }
  expect(found.map(([correlation, more, codePoint]) => [correlation, more, codePoint])).toEqual([
    [1, true, codePoints.ENDUOWRM],
    [2, false, codePoints.QRYDTA],
    [3, false, codePoints.SQLCARD],
  ]);
  expect(Buffer.compare(found[1]![3], content)).toBe(0);
});

function problem(hex: string, limitBytes = 1_000_000): DrdaError {
  try {
    new FrameReader(limitBytes, (_correlation, _more, buffer, start, end) =>
      readObjects(buffer, start, end, () => {}),
    ).push(Buffer.from(hex, 'hex'));
  } catch (thrown) {
    if (thrown instanceof DrdaError) return thrown;
  }
  throw new Error('it was taken');
}

test.each([
  ['no DRDA at all', '485454502f312e312034'],
  ['a length of less than the header', '0005d0020001'],
  ['a type that servers do not send', '000ad001000100042408'],
  ['a segment that goes on but is not full', '8010d0020001000000000000000000000000'],
  ['an object’s header that is cut off', '0008d00200010004'],
  ['an object of length 0', '000ad002000100002408'],
  ['an object longer than its DSS', '000ad002000100052408'],
  ['an extended length of a strange length', '000ed0020001800524080000000001'],
  ['an extended length beyond its DSS', '000fd0020001800824080000ffff00'],
  ['an extended length of eight bytes that no number holds', '0014d0020001800c2408ffffffffffffffff0000'],
])('%s ends in an error that says so', (_what, hex) => {
  expect(problem(hex)).toMatchObject({ kind: 'protocol' });
});

test('an object that goes on for ever ends at the limit', () => {
  const segment = Buffer.alloc(32_767, 1);
  segment.writeUInt16BE(0xffff);
  const reader = new FrameReader(100_000, () => {});
  const first = Buffer.from(segment);
  first.set([0xd0, 2, 0, 1], 2);
  reader.push(first);
  expect(() => {
    for (let n = 0; n < 4; n++) reader.push(segment);
  }).toThrow(new DrdaError('limit', 'The server sent an object of more than 100000 bytes.'));
});
