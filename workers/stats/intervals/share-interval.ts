/** The quantile of the normal distribution for 95 % between two bounds. */
const z = 1.959964;

/** The 95 % interval of a share (0…1) that was counted among so many (Wilson 1927); of none it is everything. */
export function shareInterval(share: number, of: number): { readonly low: number; readonly high: number } {
  if (of <= 0) return { low: 0, high: 1 };
  const centre = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
