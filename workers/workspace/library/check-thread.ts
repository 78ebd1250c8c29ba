import type { SavedConnection } from '#model/connections.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from './plan-context.ts';
import { answerRequests } from './thread-requests.ts';

/** A request of `createChecks` to its thread. */
export interface CheckRequest {
  readonly text: string;
  readonly connections: readonly SavedConnection[];
  /** The folder of the files that the experiment names. */
  readonly folder: string | null;
}

answerRequests(({ text, connections, folder }: CheckRequest) =>
  planExperiment(parseFile(text), planContext(connections, folder)),
);
