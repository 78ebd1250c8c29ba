/** "1 trial", "1,200 trials". */
export const many = (value: number, one: string): string =>
  `${value.toLocaleString('en', { maximumSignificantDigits: 6 })} ${one}${value === 1 ? '' : 's'}`;
