import type { AdvisedWork, Candidate } from './candidate.ts';
import { dropCandidates } from './drop-candidates.ts';
import { indexCandidates } from './index-candidates.ts';
import { lookUpCandidates, sortMemoryCandidates } from './other-candidates.ts';
import { rewriteCandidates } from './rewrite-candidates.ts';
import { statisticsCandidates } from './statistics-candidates.ts';

/** All candidates of an experiment, each change once. Statements that want the same change share it. */
export function findCandidates(work: AdvisedWork): readonly Candidate[] {
  const all = [
    ...indexCandidates(work),
    ...rewriteCandidates(work),
    ...sortMemoryCandidates(work),
    ...statisticsCandidates(work),
    ...lookUpCandidates(work),
    ...dropCandidates(work),
  ];
  const byChange = Map.groupBy(all, ({ change }) => JSON.stringify(change));
  const titles = new Map<string, number>();
  return [...byChange.values()].map(([first, ...others]): Candidate => {
    const { title } = first!;
    const count = (titles.get(title) ?? 0) + 1;
    titles.set(title, count);
    return {
      ...first!,
      // Levels need different names.
      title: count === 1 ? title : `${title} (${count})`,
      statements: [...new Set([first!, ...others].flatMap(({ statements }) => statements))],
    };
  });
}
