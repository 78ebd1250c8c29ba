/** Seeded pseudo-random numbers (mulberry32), so that a test that fails does so again. */
export interface Random {
  /** 0 <= x < 1. */
  unit(): number;
  /** A whole number, least <= x <= most. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  bytes(length: number): Uint8Array;
  /** Text of any characters but halves of surrogate pairs. */
  text(length: number): string;
  /** Decimal digits. */
  digits(count: number): string;
}

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(unit() * (most - least + 1));
  const ranges: readonly (readonly [number, number])[] = [
    [0x20, 0x7e],
    [0, 0x7ff],
    [0x800, 0xd7ff],
    [0xe000, 0xffff],
    [0x10000, 0x10ffff],
  ];
  const random: Random = {
    unit,
    between,
    pick: (items) => items[between(0, items.length - 1)]!,
    bytes: (length) => Uint8Array.from({ length }, () => between(0, 255)),
    text: (length) => {
      const range = ranges.slice(0, between(1, ranges.length));
      return Array.from({ length }, () => String.fromCodePoint(between(...random.pick(range)))).join('');
    },
    digits: (count) => Array.from({ length: count }, () => between(0, 9)).join(''),
  };
  return random;
}
