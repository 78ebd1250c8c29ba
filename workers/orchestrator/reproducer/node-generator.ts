/**
 * The generator of scripts for Node. It makes the same values as runner/generator, of which it is a short copy without
 * the parts that make it fast: tests compare both. A value is a Buffer for uuid and bytes, a number for
 * integers, decimals (× 10^scale) and times (µs since 1970), a boolean, a text, or null.
 */
export const nodeGenerator = String.raw`
// The generator: row n of a column depends on the seed, the column and n alone, and has the value that Dyno gives it.
const mixWith = (first, a, second, b, third) => (value) => {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> first), a);
  x = Math.imul(x ^ (x >>> second), b);
  return x ^ (x >>> third);
};
const mixStream = mixWith(16, 0x21f0aaad, 15, 0xd35a2d97 | 0, 15);
const mix = mixWith(16, 0x7feb352d, 15, 0x846ca68b | 0, 16);
const unit = (high, low) => ((high >>> 5) * 2 ** 26 + (low >>> 6)) * 2 ** -53;

function stream(seed, lane) {
  const low = mixStream(seed >>> 0) >>> 0;
  const high = mixStream(low ^ (Math.floor(seed / 2 ** 32) >>> 0)) >>> 0;
  const first = mixStream(high + Math.imul(lane, 0x9e3779b9)) | 0;
  return [first, mixStream(first ^ 0x6a09e667) | 0];
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const alphabets = {
  alphanumeric: lower.toUpperCase() + lower + digits,
  letters: lower.toUpperCase() + lower,
  digits,
  hex: digits + 'abcdef',
};
const range = (from, to) => Array.from({ length: to - from }, (_, i) => String.fromCharCode(from + i));
const unicode = [
  ...alphabets.alphanumeric,
  ...range(0xc0, 0x100).filter((one) => one !== '\u00d7' && one !== '\u00f7'),
  ...range(0x3b1, 0x3c9),
  ...range(0x410, 0x450),
  ...range(0x4e00, 0x4f00),
].slice(0, 256);

function textOf(word, length, alphabet) {
  let text = '';
  if (alphabet === 'unicode') {
    for (let i = 0, bits = 0; i < length; i++, bits >>>= 8) {
      if ((i & 3) === 0) bits = word(i + 1);
      text += unicode[bits & 255];
    }
    return text;
  }
  const letters = alphabets[alphabet];
  const pair = (bits) => {
    const index = Math.floor((bits * letters.length ** 2) / 4096);
    return letters[Math.floor(index / letters.length)] + letters[index % letters.length];
  };
  for (let i = 0; i < length; i += 4) text += pair(word(i + 1) & 4095) + pair((word(i + 1) >>> 12) & 4095);
  return text.slice(0, length);
}

function bytesOf(word, length) {
  const bytes = Buffer.alloc(length + 3);
  for (let i = 0; i < length; i += 4) bytes.writeInt32LE(word(i + 1), i);
  return bytes.subarray(0, length);
}

function uuidOf(first, second, word, row, kind) {
  const bytes = Buffer.alloc(16);
  const ms = 1704067200000 + Math.floor(row / 4096);
  const write = (...words) => words.forEach((one, i) => bytes.writeUInt32BE(one >>> 0, 4 * i));
  if (kind === 'uuid4')
    write(first, (word(1) & 0xffff0fff) | 0x4000, (word(2) & 0x3fffffff) | 0x80000000, second);
  else if (kind === 'uuid7')
    write(Math.floor(ms / 65536), ((ms & 0xffff) << 16) | 0x7000 | (row & 0xfff), (first & 0x3fffffff) | 0x80000000, second);
  else
    write(first, (second & 0xffff0fff) | 0x8000, ((0x8000 | (row & 0xfff)) << 16) | Math.floor(ms / 2 ** 32), ms % 2 ** 32);
  return bytes;
}

const streams = new Map();
function streamOf(column, use) {
  const lane = column + 1000 * use;
  if (!streams.has(lane)) streams.set(lane, stream(work.seed, lane));
  return streams.get(lane);
}

/** The value of a column in a row. use: 0 for the row's own value, from 2 on for values of updates. */
function valueOf(column, row, use = 0) {
  const { maker, nulls } = columns[column];
  const words = (key) => {
    const first = mix(row ^ key[0]);
    return [first, mix((row * 2 ** -32) ^ key[1] ^ first)];
  };
  if (nulls > 0 && unit(...words(streamOf(column, 1))) < nulls) return null;
  const key = streamOf(column, use);
  const [first, second] = words(key);
  const word = (index) => mix((first + Math.imul(index, 0x9e3779b9)) ^ second);
  const length = () => maker.min + Math.floor((mix(first ^ 0x5bd1e995) >>> 0) * 2 ** -32 * (maker.max - maker.min + 1));
  switch (maker.kind) {
    case 'sequence':
      return maker.start + row;
    case 'number':
      return maker.least + Math.floor(unit(first, second) * maker.count);
    case 'boolean':
      return unit(first, second) < maker.trueShare;
    case 'text':
      return textOf(word, length(), maker.alphabet);
    case 'bytes':
      return bytesOf(word, length());
    case 'oneOf':
      return maker.values[Math.floor(unit(first, second) * maker.values.length)];
    default:
      return uuidOf(first, second, word, row, maker.kind);
  }
}

/** The keys of a call: all different, each row equally likely. */
function chooseRows(call, count) {
  const hash = (keys, index) => {
    const block = Math.floor(index / 2 ** 32);
    let x = index ^ (block === 0 ? keys[0] : keys[0] ^ mixStream(block ^ keys[1]));
    x ^= x >>> 16;
    x = Math.imul(x, 0x21f0aaad);
    x ^= x >>> 15;
    x = Math.imul((x + keys[1]) | 0, 0xd35a2d97 | 0);
    return (x ^ (x >>> 15)) >>> 0;
  };
  const keys = stream(work.trialSeed, 100);
  const own = [hash(keys, 2 * call) | 0, hash(keys, 2 * call + 1) | 0];
  let index = 0;
  const draw = () => Math.floor(hash(own, index++) * 2 ** -32 * work.loadedRows);
  const chosen = new Set();
  while (chosen.size < count) {
    let row = draw();
    for (let draws = 1; chosen.has(row) && draws < 20; draws++) row = draw();
    while (chosen.has(row)) row = (row + 1) % work.loadedRows;
    chosen.add(row);
  }
  return [...chosen];
}

/** The rows in the order of deletes: each once, as if shuffled (a Feistel network). */
const deleteOrder = (() => {
  const half = 2 ** Math.max(1, Math.ceil(Math.log2(Math.max(2, work.loadedRows)) / 2));
  const keys = [300, 301, 302, 303].map((lane) => stream(work.trialSeed, lane));
  const once = (value) => {
    let [left, right] = [Math.floor(value / half), value % half];
    for (const [key] of keys) [left, right] = [right, left ^ (mix(right ^ key) & (half - 1))];
    return left * half + right;
  };
  return (position) => {
    let value = once(position);
    while (value >= work.loadedRows) value = once(value);
    return value;
  };
})();
`.trim();
