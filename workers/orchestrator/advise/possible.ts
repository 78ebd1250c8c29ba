import { adviceFile } from '#analysis/advise/advice-file.ts';
import type { Candidate } from '#analysis/advise/candidate.ts';
import { probeName, type WriteProbe } from '#analysis/advise/write-probe.ts';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import { toErrorData } from '#model/error.ts';
import type { Home } from '#platform/paths.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { openGate } from '#workspace/trust/gate.ts';

type FileParts = Parameters<typeof adviceFile>[1];

/** A candidate, and the reason, as a sentence, why no run can have it; null: it can. */
interface JudgedCandidate {
  readonly candidate: Candidate;
  readonly whyNot: string | null;
}

/** Asks the planner for each candidate by itself, so that one that no run can have does not stop the others. */
export const possibleCandidates = (
  home: Home,
  source: YamlSource,
  parts: FileParts,
  candidates: readonly Candidate[],
): readonly JudgedCandidate[] =>
  candidates.map((candidate) => ({
    candidate,
    whyNot: impossibleText(home, adviceFile(source, { ...parts, candidates: [candidate], probes: {} })),
  }));

/** Asks the planner for each of Dyno's own inserts: an insert that no file may have gets the planner's reason. */
export const possibleProbes = (
  home: Home,
  source: YamlSource,
  parts: FileParts,
  probes: readonly WriteProbe[],
): readonly WriteProbe[] =>
  probes.map((one) => {
    if (one.statement === null) return one;
    const own = { ...parts, candidates: [], probes: { [probeName(one.table)]: one.statement } };
    const whyNot = impossibleText(home, adviceFile(source, own));
    return whyNot === null ? one : { ...one, statement: null, whyNot };
  });

/** The reason, as a sentence, why no run can have a file or one of its levels; null: it can. */
function impossibleText(home: Home, source: YamlSource): string | null {
  try {
    const judged = openGate(home).experiment({ file: parseFile(source) }, false);
    return 'trusted' in judged ? (judged.trusted.plan.skipped[0]?.reason ?? null) : null;
  } catch (thrown) {
    const [count = '', ...problems] = toErrorData(thrown).message.split('\n');
    // Nobody sees the lines of this file.
    return problems[0]?.replace(/^\s*\d+:\d+ (?:[^\s:]+: )?/, '') ?? count;
  }
}
