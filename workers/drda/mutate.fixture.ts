import type { Random } from './random.fixture.ts';

/**
 * The changes that a hostile server may make to a reply: flipped bits, wrong lengths, parts missing, doubled or in
 * another order.
 */
export function mutated(reply: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(reply);
  for (let times = random.between(1, 3); times > 0; times--) bytes = Buffer.from(random.pick(mutations)(bytes, random));
  return bytes;
}

/** The same bytes, as they may arrive. */
export function inChunks(bytes: Buffer, random: Random): Buffer[] {
  const cuts = Array.from({ length: random.between(0, 2) }, () => random.between(0, bytes.length)).sort(
    (a, b) => a - b,
  );
  return [0, ...cuts]
    .map((start, n) => bytes.subarray(start, cuts[n] ?? bytes.length))
    .filter((chunk) => chunk.length > 0);
}

const strangeLengths = [0, 1, 2, 3, 4, 5, 6, 0x7fff, 0x8000, 0x8002, 0x8004, 0x8006, 0x8008, 0x800a, 0x800c, 0xffff];

const mutations: readonly ((bytes: Buffer, random: Random) => Buffer)[] = [
  (bytes, random) => {
    for (let flips = random.between(1, 8); flips > 0 && bytes.length > 0; flips--) {
      const at = random.between(0, bytes.length - 1);
      bytes[at] = bytes[at]! ^ (1 << random.between(0, 7));
    }
    return bytes;
  },
  (bytes, random) => bytes.subarray(0, random.between(0, bytes.length)),
  // A real length: of a DSS, or of an object at the beginning of a DSS.
  (bytes, random) => {
    const at = random.pick(frameStarts(bytes)) + random.pick([0, 6]);
    if (at + 2 <= bytes.length) bytes.writeUInt16BE(random.pick(strangeLengths), at);
    return bytes;
  },
  // Bytes within an object that are, or look like, a length.
  (bytes, random) => {
    if (bytes.length >= 2) bytes.writeUInt16BE(random.pick(strangeLengths), random.between(0, bytes.length - 2));
    return bytes;
  },
  (bytes, random) => {
    const at = random.between(0, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), random.bytes(random.between(1, 20)), bytes.subarray(at)]);
  },
  (bytes, random) => {
    const at = random.between(0, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.between(1, 20))]);
  },
  (bytes, random) => {
    const frames = framesOf(bytes);
    frames.splice(random.between(0, frames.length), 0, random.pick(frames));
    return Buffer.concat(frames);
  },
  (bytes, random) => {
    const frames = framesOf(bytes);
    frames.splice(random.between(0, frames.length - 1), 1);
    return Buffer.concat(frames);
  },
  (bytes, random) => {
    const frames = framesOf(bytes);
    const [taken] = frames.splice(random.between(0, frames.length - 1), 1);
    frames.splice(random.between(0, frames.length), 0, taken!);
    return Buffer.concat(frames);
  },
  // A code point, correlation or format of another kind.
  (bytes, random) => {
    const at = random.pick(frameStarts(bytes)) + random.pick([3, 4, 5, 8, 9]);
    if (at < bytes.length) bytes[at] = random.between(0, 255);
    return bytes;
  },
];

function frameStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = 0; at + 2 <= bytes.length; ) {
    at += Math.max(6, bytes.readUInt16BE(at) & 0x7fff);
    if (at < bytes.length) starts.push(at);
  }
  return starts;
}

/** Replies that came one after another: each up to the first DSS that is not chained. */
export function chainsOf(bytes: Buffer): Buffer[] {
  const chains: Buffer[] = [];
  let frames: Buffer[] = [];
  for (const frame of framesOf(bytes)) {
    frames.push(frame);
    if ((frame[3]! & 0x40) !== 0) continue;
    chains.push(Buffer.concat(frames));
    frames = [];
  }
  return chains;
}

function framesOf(bytes: Buffer): Buffer[] {
  const starts = frameStarts(bytes);
  return starts.map((start, n) => bytes.subarray(start, starts[n + 1] ?? bytes.length));
}
