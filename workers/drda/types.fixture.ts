import type { Value } from './fdoca/parameters.ts';
import type { Random } from './random.fixture.ts';
import type { Described, Wire } from './server.fixture.ts';

/** A type as a server describes it, and values of it. */
export interface SampleType {
  readonly name: string;
  /** In SQLDARD. */
  readonly described: Described;
  /** In QRYDSC, and how a result's values look there. */
  readonly wire: Wire;
  /** How the value reaches the server, where that is not the value itself. */
  readonly sent?: (value: Exclude<Value, null>) => Value;
  readonly value: (random: Random) => Exclude<Value, null>;
}

const two = (number: number): string => String(number).padStart(2, '0');
const date = (random: Random): string =>
  `${String(random.between(1, 9999)).padStart(4, '0')}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`;
const time = (random: Random): string =>
  `${two(random.between(0, 23))}:${two(random.between(0, 59))}:${two(random.between(0, 59))}`;
const onWire = (timestamp: Value): string => String(timestamp).replace(' ', '-').replaceAll(':', '.');

function decimal(precision: number, scale: number): SampleType {
  return {
    name: `decimal(${precision}, ${scale})`,
    described: { sqlType: 485, precision, scale, length: (precision << 8) | scale },
    wire: { type: 0x0f, length: (precision << 8) | scale },
    value: (random) => {
      const whole = random.digits(random.between(0, precision - scale)).replace(/^0+(?=.)/, '') || '0';
      const plain = scale > 0 ? `${whole}.${random.digits(scale)}` : whole;
      return random.unit() < 0.5 && /[1-9]/.test(plain) ? `-${plain}` : plain;
    },
  };
}

function timestamp(length: number): SampleType {
  return {
    name: `timestamp of ${length} characters`,
    described: { sqlType: 393, length },
    wire: { type: 0x25, length },
    sent: onWire,
    value: (random) => `${date(random)} ${time(random)}.${random.digits(length - 20)}`,
  };
}

const integers = (bits: number, random: Random): bigint => {
  const any = BigInt(`0x${Buffer.from(random.bytes(8)).toString('hex')}`);
  return BigInt.asIntN(random.between(1, bits), any);
};
const fits = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
const real = (random: Random): number => Math.fround((random.unit() - 0.5) * 10 ** random.between(-30, 30));

/** Every type that goes both ways. */
export const sampleTypes: readonly SampleType[] = [
  {
    name: 'smallint',
    described: { sqlType: 501, length: 2 },
    wire: { type: 0x05, length: 2 },
    value: (random) => Number(integers(16, random)),
  },
  {
    name: 'integer',
    described: { sqlType: 497, length: 4 },
    wire: { type: 0x03, length: 4 },
    value: (random) => Number(integers(32, random)),
  },
  {
    name: 'bigint',
    described: { sqlType: 493, length: 8 },
    wire: { type: 0x17, length: 8 },
    sent: (value) => BigInt(value as number),
    value: (random) => fits(integers(64, random)),
  },
  { name: 'real', described: { sqlType: 481, length: 4 }, wire: { type: 0x0d, length: 4 }, value: real },
  {
    name: 'double',
    described: { sqlType: 481, length: 8 },
    wire: { type: 0x0b, length: 8 },
    value: (random) => (random.unit() - 0.5) * 10 ** random.between(-300, 300),
  },
  decimal(31, 15),
  decimal(12, 3),
  decimal(1, 0),
  decimal(6, 6),
  { name: 'date', described: { sqlType: 385, length: 10 }, wire: { type: 0x21, length: 10 }, value: date },
  { name: 'time', described: { sqlType: 389, length: 8 }, wire: { type: 0x23, length: 8 }, value: time },
  timestamp(26),
  timestamp(29),
  {
    name: 'boolean',
    described: { sqlType: 2437, length: 1 },
    wire: { type: 0xbf, length: 1 },
    value: (random) => random.unit() < 0.5,
  },
  {
    name: 'char',
    described: { sqlType: 453, length: 20 },
    wire: { type: 0x3f, length: 20 },
    value: (random) => random.text(random.between(0, 20)),
  },
  {
    name: 'varchar',
    described: { sqlType: 449, length: 200 },
    wire: { type: 0x33, length: 200 },
    value: (random) => random.text(random.between(0, 200)),
  },
  {
    name: 'long varchar',
    described: { sqlType: 457, length: 32_700 },
    wire: { type: 0x35, length: 32_700 },
    value: (random) => random.text(random.unit() < 0.02 ? random.between(8_000, 10_000) : random.between(0, 300)),
  },
  {
    name: 'varchar for bit data',
    described: { sqlType: 449, ccsid: 0, length: 300 },
    wire: { type: 0x29, length: 300 },
    value: (random) => random.bytes(random.between(0, 300)),
  },
  {
    name: 'char for bit data',
    described: { sqlType: 453, ccsid: 0xffff, length: 9 },
    wire: { type: 0x27, length: 9 },
    value: (random) => random.bytes(9),
  },
  {
    name: 'long varchar for bit data',
    described: { sqlType: 457, ccsid: 0, length: 32_700 },
    wire: { type: 0x2b, length: 32_700 },
    value: (random) => random.bytes(random.between(0, 50)),
  },
  {
    name: 'clob',
    described: { sqlType: 409, length: 1_000_000 },
    wire: { type: 0xcf, length: 0x8004 },
    value: (random) => random.text(random.unit() < 0.02 ? random.between(20_000, 60_000) : random.between(0, 100)),
  },
  {
    name: 'blob',
    described: { sqlType: 405, length: 1_000_000 },
    wire: { type: 0xc9, length: 0x8004 },
    value: (random) => random.bytes(random.unit() < 0.02 ? random.between(32_700, 140_000) : random.between(0, 100)),
  },
];
