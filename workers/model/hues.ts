/**
 * Number of colours that targets have in charts, apart from the neutral one. A target's hue is the position of its
 * colour among them.
 */
export const hues = 7;

/** The first hues belong to the built-in targets that most runs have, so new connections begin behind them. */
const firstForConnections = 2;

/** The hue that the fewest connections have. */
export function leastUsedHue(used: readonly number[]): number {
  const order = Array.from({ length: hues }, (_, i) => (firstForConnections + i) % hues);
  const uses = (hue: number) => used.filter((one) => one === hue).length;
  return order.reduce((best, hue) => (uses(hue) < uses(best) ? hue : best));
}
