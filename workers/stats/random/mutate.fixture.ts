import type { Sfc32 } from './random.ts';

/** Pieces that parsers stumble over. */
const hostile = [
  ...['', ' ', '\n', '\r\n', '\t', '\0', '\u2028', '\ufeff', '\ud800', '😀', 'ﬀ', 'İ', '\u202e'],
  ...['"', "'", '`', '\\', '/*', '*/', '--', ';', '$$', '$a$', ':', '::', '@', '{', '}', '[', ']', '(', ')', '<<', '%'],
  ...['&a', '*a', '!!js/function', '!!binary', '---', '...', '? ', '- ', '#', '|', '>', '~', 'null', 'true', 'NaN'],
  ...['0', '-1', '1e308', '1e-308', '.inf', '0x10', '9007199254740993', '-0', '99999999999999999999', '1_000'],
  ...['__proto__', 'constructor', 'toString', '../', 'file:///etc/passwd', '%00', '%zz', '\x1b[2J', '<script>'],
];

const pick = <T>(of: readonly T[], random: Sfc32): T => of[random.below(of.length)]!;

/** A change of a text; `other` is another text of the corpus. */
type Change = (text: string, random: Sfc32, other: string) => string;

function cut(text: string, random: Sfc32): readonly [string, string, string] {
  const start = random.below(text.length + 1);
  const end = Math.min(text.length, start + random.below(random.below(8) === 0 ? text.length + 1 : 12));
  return [text.slice(0, start), text.slice(start, end), text.slice(end)];
}

const changes: readonly Change[] = [
  // A bit of a character.
  (text, random) => {
    const [before, middle, after] = cut(text, random);
    const first = middle.charCodeAt(0);
    return middle === ''
      ? text
      : before + String.fromCharCode(first ^ (1 << random.below(8))) + middle.slice(1) + after;
  },
  (text, random) => {
    const [before, , after] = cut(text, random);
    return before + after;
  },
  (text, random) => {
    const [before, middle, after] = cut(text, random);
    return before + middle.repeat(2 + random.below(random.below(20) === 0 ? 200 : 3)) + after;
  },
  (text, random) => {
    const [before, , after] = cut(text, random);
    return before + pick(hostile, random) + after;
  },
  // A whole value after a colon, which keeps most texts well-formed.
  (text, random) => {
    const places = [...text.matchAll(/: ?[^\n,}]*/g)];
    const place = places[random.below(Math.max(1, places.length))];
    return place === undefined
      ? text
      : `${text.slice(0, place.index)}: ${pick(hostile, random)}${text.slice(place.index + place[0].length)}`;
  },
  (text, random) => {
    const lines = text.split('\n');
    const [from, to] = [random.below(lines.length), random.below(lines.length)];
    const [line = ''] = lines.splice(from, 1);
    lines.splice(to, 0, line);
    return lines.join('\n');
  },
  (text, random, other) => {
    const [before] = cut(text, random);
    const [, middle, after] = cut(other, random);
    return before + middle + after;
  },
];

/** A text of the corpus with one to four changes; the same random numbers make the same text. */
export function mutatedText(corpus: readonly string[], random: Sfc32): string {
  let text = pick(corpus, random);
  const times = 1 + random.below(4);
  for (let i = 0; i < times; i++) text = pick(changes, random)(text, random, pick(corpus, random));
  return text;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A value in place of any part of a JSON value, or with a member too many or too few. */
export function mutatedJson(value: Json, random: Sfc32): Json {
  const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isLeaf || random.below(6) === 0) return anyJson(random, 3);
  const keys = Object.keys(value);
  const key = pick(keys, random);
  if (Array.isArray(value)) return value.map((one: Json, i) => (String(i) === key ? mutatedJson(one, random) : one));
  const record = { ...(value as { readonly [key: string]: Json }) };
  switch (random.below(5)) {
    case 0:
      delete record[key];
      return record;
    case 1:
      return { ...record, [pick(hostile, random)]: anyJson(random, 2) };
    default:
      return { ...record, [key]: mutatedJson(record[key] ?? null, random) };
  }
}

function anyJson(random: Sfc32, depth: number): Json {
  switch (random.below(depth === 0 ? 5 : 8)) {
    case 0:
      return null;
    case 1:
      return random.below(2) === 0;
    case 2:
      return pick([0, -1, 0.5, 1e308, 2 ** 53, -0, 1e-308], random);
    case 3:
      return pick(hostile, random).repeat(1 + random.below(random.below(50) === 0 ? 30_000 : 3));
    case 4:
      return pick(hostile, random);
    case 5:
      return Array.from({ length: random.below(4) }, () => anyJson(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [pick(hostile, random), anyJson(random, depth - 1)]),
      );
  }
}
