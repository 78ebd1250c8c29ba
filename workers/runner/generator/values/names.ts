import { createRequire } from 'node:module';
import type { Faker } from '@faker-js/faker';
import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import type { locales } from '#model/dataset/locales.ts';
import { DynoError } from '#model/error.ts';

type NameSpec = ColumnSpec & { readonly type: 'name' };

const require = createRequire(import.meta.url);

/** Loads a locale's names when they are needed, which takes 0.1 s; synchronously, as generators work. */
export const fakerOf = (locale: (typeof locales)[number]): Faker =>
  (require(`@faker-js/faker/locale/${locale}`) as { readonly faker: Faker }).faker;

const makers: Readonly<Record<NameSpec['what'], (faker: Faker) => string>> = {
  person: ({ person }) => person.fullName(),
  firstName: ({ person }) => person.firstName(),
  lastName: ({ person }) => person.lastName(),
  company: ({ company }) => company.name(),
  jobTitle: ({ person }) => person.jobTitle(),
  product: ({ commerce }) => commerce.productName(),
  city: ({ location }) => location.city(),
  street: ({ location }) => location.streetAddress(),
  country: ({ location }) => location.country(),
  // The domains are reserved for examples (RFC 2606).
  email: ({ internet }) => internet.exampleEmail(),
  phone: ({ phone }) => phone.number(),
};

/** If this many draws bring no new name, the locale has no more names. */
const mostDraws = 2_000;

/** Returns at most `spec.pool` different names, fixed by the seed. Throws 'badInput' if no name is short enough. */
export function namePool(spec: NameSpec, seed: number): readonly string[] {
  const faker = fakerOf(spec.locale);
  faker.seed(seed);
  const make = makers[spec.what];
  const names = new Set<string>();
  for (let vain = 0; names.size < spec.pool && vain < mostDraws; ) {
    const before = names.size;
    const name = make(faker).normalize('NFC').trim();
    if (name.length > 0 && name.length <= spec.maxLength && plain.test(name)) names.add(name);
    vain = names.size > before ? 0 : vain + 1;
  }
  if (names.size > 0) return [...names];
  const { what, locale, maxLength } = spec;
  const message = `no ${what} of the locale ${locale} is as short as ${maxLength} characters.`;
  throw new DynoError('badInput', message, { hint: 'Raise maxLength.' });
}

/**
 * Names contain no characters that JSON escapes, no control characters, and only characters of one UTF-16 unit, because
 * lengths count characters.
 */
const plain = /^[^"\\\p{Cc}\p{Cs}]+$/u;
