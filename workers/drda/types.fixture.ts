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

/** A type of this length; `more`: its code page, its length in QRYDSC where that is another one, how it is sent. */
const sample = (
  name: string,
  sqlType: number,
  type: number,
  length: number,
  value: SampleType['value'],
  more: Pick<SampleType, 'sent'> & { readonly ccsid?: number; readonly wireLength?: number } = {},
): SampleType => {
  const { ccsid, wireLength = length, ...sent } = more;
  const described = { sqlType, length, ...(ccsid !== undefined && { ccsid }) };
  return { name, described, wire: { type, length: wireLength }, value, ...sent };
};

/** Every type that goes both ways. */
export const sampleTypes: readonly SampleType[] = [
  sample('smallint', 501, 0x05, 2, (random) => Number(integers(16, random))),
  sample('integer', 497, 0x03, 4, (random) => Number(integers(32, random))),
  sample('bigint', 493, 0x17, 8, (random) => fits(integers(64, random)), { sent: (value) => BigInt(value as number) }),
  sample('real', 481, 0x0d, 4, real),
  sample('double', 481, 0x0b, 8, (random) => (random.unit() - 0.5) * 10 ** random.between(-300, 300)),
  decimal(31, 15),
  decimal(12, 3),
  decimal(1, 0),
  decimal(6, 6),
  sample('date', 385, 0x21, 10, date),
  sample('time', 389, 0x23, 8, time),
  timestamp(26),
  timestamp(29),
  sample('boolean', 2437, 0xbf, 1, (random) => random.unit() < 0.5),
  sample('char', 453, 0x3f, 20, (random) => random.text(random.between(0, 20))),
  sample('varchar', 449, 0x33, 200, (random) => random.text(random.between(0, 200))),
  sample('long varchar', 457, 0x35, 32_700, (random) =>
    random.text(random.unit() < 0.02 ? random.between(8_000, 10_000) : random.between(0, 300)),
  ),
  sample('varchar for bit data', 449, 0x29, 300, (random) => random.bytes(random.between(0, 300)), { ccsid: 0 }),
  sample('char for bit data', 453, 0x27, 9, (random) => random.bytes(9), { ccsid: 0xffff }),
  sample('long varchar for bit data', 457, 0x2b, 32_700, (random) => random.bytes(random.between(0, 50)), { ccsid: 0 }),
  sample(
    'clob',
    409,
    0xcf,
    1_000_000,
    (random) => random.text(random.unit() < 0.02 ? random.between(20_000, 60_000) : random.between(0, 100)),
    { wireLength: 0x8004 },
  ),
  sample(
    'blob',
    405,
    0xc9,
    1_000_000,
    (random) => random.bytes(random.unit() < 0.02 ? random.between(32_700, 140_000) : random.between(0, 100)),
    { wireLength: 0x8004 },
  ),
];
