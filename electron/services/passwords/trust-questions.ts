import { randomUUID } from 'node:crypto';
import type { Connection } from '#model/connections.ts';
import type { Asked } from '#protocol/ipc.ts';
import type { Plan } from '#protocol/plan.ts';
import type { Trust } from '#workspace/trust/trust.ts';
import { whatItDoes } from '#workspace/trust/what-it-does.ts';

type Question = Extract<Asked, { readonly trustId: string }>;

/**
 * Asks whether an experiment from elsewhere may do what it says. The page answers with the id of a question: it cannot
 * have a text trusted that nobody was asked about.
 */
export interface TrustQuestions {
  /** Null: nothing is to be asked. */
  questionOf(yaml: string, plan: Plan, connections: readonly Connection[]): Question | null;
  /** Remembers that the user trusts the experiment of a question; of any other id nothing. */
  trust(trustId: string): void;
}

/** If more questions are open than this, the oldest ones are given up. */
const mostOpen = 20;

export function createTrustQuestions(trust: Trust): TrustQuestions {
  const open = new Map<string, string>();
  return {
    questionOf(yaml, plan, connections) {
      if (!trust.isForeign(yaml)) return null;
      const trustId = randomUUID();
      open.set(trustId, yaml);
      for (const oldest of [...open.keys()].slice(0, -mostOpen)) open.delete(oldest);
      return { foreign: whatItDoes(plan, connections), trustId };
    },
    trust(trustId) {
      const yaml = open.get(trustId);
      if (yaml === undefined) return;
      open.delete(trustId);
      trust.trust(yaml);
    },
  };
}
