import type { Session } from '#engine-api/session.ts';
import type { Link } from './connection/link.ts';
import { createChanges } from './statements/changes.ts';
import { prepareCustomStatement } from './statements/custom-statement.ts';
import { prepareOperation } from './statements/operations.ts';

export function openSession(link: Link): Session {
  const changes = createChanges(link);
  return {
    prepare: (plan) => prepareOperation(link, plan),
    prepareStatement: (plan) => prepareCustomStatement(link, plan, changes),
    begin: changes.begin,
    commit: changes.commit,
    rollback: changes.rollback,
    async cancel() {
      link.stop();
    },
    wireBytes: () => link.wireBytes(),
    async [Symbol.asyncDispose]() {
      link.close();
    },
  };
}
