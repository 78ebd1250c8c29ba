/** An estimated time in seconds as text: "45 s", "3 min", "1 h 20 min"; rough on purpose, because it is an estimate. */
export function formatWait(seconds: number): string {
  if (seconds < 1) return 'a moment';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
