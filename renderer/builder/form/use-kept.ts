import { useState } from 'react';

/** The names that were needed since the form was opened: a field stays when the user empties it. */
export function useKept(needed: readonly string[]): readonly string[] {
  const [kept, setKept] = useState(needed);
  const added = needed.filter((name) => !kept.includes(name));
  if (added.length === 0) return kept;
  const all = [...kept, ...added];
  setKept(all);
  return all;
}
