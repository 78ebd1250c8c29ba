import type { ListedValue, TypedValue } from './test-server.ts';

/** A value that clients print as statements write it. `beside`: its neighbour. */
export const asWritten = (
  type: TypedValue['type'],
  as: TypedValue['as'],
  literal: string,
  beside?: string,
): TypedValue => ({ type, literal, shown: literal, as, ...(beside !== undefined && { beside }) });

/** The limits of 64 bits. */
export const int64 = (type: string): readonly TypedValue[] => [
  asWritten(type, 'integer', '9223372036854775807', '9223372036854775806'),
  asWritten(type, 'integer', '-9223372036854775808', '-9223372036854775807'),
];

/** A value that statements write in single quotes, behind a `prefix`, and clients print without them. */
export const quoted = (
  type: TypedValue['type'],
  as: TypedValue['as'],
  text: string,
  beside?: string,
  prefix = '',
): TypedValue => ({
  ...{ type, literal: `${prefix}'${text}'`, shown: text, as },
  ...(beside !== undefined && { beside: `${prefix}'${beside}'` }),
});

/** Texts that look like values of other types. `write`: a text as statements have it. */
export const misleadingTexts = (
  type: ListedValue['type'],
  write: (text: string) => string = (text) => `'${text}'`,
): readonly ListedValue[] =>
  ['00112233-4455-6677-8899-aabbccddeeff', 't', '2024-03-11', '007', '10000', '1e5', '0x00ff', 'null'].map((text) => ({
    type,
    literal: write(text),
  }));
