import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import type { ForeignWork } from '#protocol/foreign-work.ts';
import type { Asked } from '#protocol/ipc.ts';
import type { Trust } from '#workspace/trust/trust.ts';

type Question = Extract<Asked, { readonly trustId: string }>;

/**
 * Asks whether an experiment from elsewhere may do what it says. The page answers with the id of a question: it cannot
 * have a text trusted that nobody was asked about.
 */
export interface TrustQuestions {
  /** The question whether an experiment may do what the gate has found. */
  questionOf(source: YamlSource, foreign: ForeignWork): Question;
  /** Remembers that the user trusts the experiment of a question; of any other id nothing. */
  trust(trustId: string): void;
}

/** The most questions that stay open. If there are more, the oldest ones are given up. */
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
