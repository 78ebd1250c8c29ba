import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import type { ForeignWork } from '#protocol/foreign-work.ts';
import type { Asked } from '#protocol/ipc.ts';
import type { Trust } from '#workspace/trust/trust.ts';

type Question = Extract<Asked, { readonly trustId: string }>;

/**
 * Asks if an experiment from elsewhere may run. The page answers with the id of a question, so it cannot make a text
 * trusted without a question.
 */
export interface TrustQuestions {
  /** The question if an experiment may do what the gate has found. */
  questionOf(source: YamlSource, foreign: ForeignWork): Question;
  /** Remembers that the user trusts the experiment of a question; ignores any other id. */
  trust(trustId: string): void;
}

/** The most open questions. If there are more, the oldest are discarded. */
const mostOpen = 20;

export function createTrustQuestions(trust: Pick<Trust, 'trust'>): TrustQuestions {
  const open = new Map<string, YamlSource>();
  return {
    questionOf(source, foreign) {
      const trustId = randomUUID();
      open.set(trustId, source);
      for (const oldest of [...open.keys()].slice(0, -mostOpen)) open.delete(oldest);
      // The page sees no path of this machine.
      const { origin, ...work } = foreign;
      return { foreign: origin ? { ...work, origin: { ...origin, file: basename(origin.file) } } : work, trustId };
    },
    trust(trustId) {
      const source = open.get(trustId);
      if (source === undefined) return;
      open.delete(trustId);
      trust.trust(source);
    },
  };
}
