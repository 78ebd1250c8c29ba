/** Writes "a, b and c". Intl takes a process 30 ms at its first use, which the start of a command need not pay. */
export function lazyList(locale: 'en' | 'en-GB', type: 'conjunction' | 'disjunction'): Pick<Intl.ListFormat, 'format'> {
  let list: Intl.ListFormat | null = null;
  return {
    format(parts) {
      list ??= new Intl.ListFormat(locale, { type });
      return list.format(parts);
    },
  };
}
