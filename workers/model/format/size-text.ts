const powers = ['', 'k', 'm', 'g', 't'];

/** Bytes of a size as parameters of servers are written: `64MB`, `1G`, `8 kB`; null: the text is no size. */
export function bytesOfText(text: string, bytesOfOne = 1): number | null {
  const [, number, unit] = /^(-?\d+(?:\.\d+)?)\s?([kmgt]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
  if (number === undefined || unit === undefined) return null;
  const isBare = /\d$/.test(text.trim());
  return Number(number) * (isBare ? bytesOfOne : 1_024 ** powers.indexOf(unit.toLowerCase()));
}
