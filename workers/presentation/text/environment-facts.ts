import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatBytes } from '#model/format/format.ts';
import type { Fact } from './fact.ts';

const versionsOf = (record: Readonly<Record<string, string>>): string =>
  Object.entries(record)
    .map((pair) => pair.join(' '))
    .join(', ');

/** The machine and the programs that measured; facts that the file does not tell are left out. */
export function environmentFacts({ environment, startedAt, endedAt, runId }: RunModel): readonly Fact[] {
  const facts: readonly Fact[] = [
    ['Machine', `${environment.cpu}, ${environment.cores} cores, ${formatBytes(environment.memoryBytes)}`],
    ['System', environment.os],
    ['Dyno', `${environment.app} (${versionsOf(environment.runtime)})`],
    ['Drivers', versionsOf(environment.drivers)],
    ['Run', `${runId}, ${startedAt}${endedAt === null ? '' : ` to ${endedAt}`}`],
  ];
  return facts.filter(([, value]) => value !== '');
}
