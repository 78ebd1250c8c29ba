import { machineOf, machineText } from '#analysis/client/machine.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatBytes, formatNumber } from '#model/format/format.ts';
import type { MachineUse } from '#protocol/measurement.ts';
import type { Fact } from './fact.ts';

const versionsOf = (record: Readonly<Record<string, string>>): string =>
  Object.entries(record)
    .map((pair) => pair.join(' '))
    .join(', ');

const speedText = ({ frequencyMhz }: MachineUse): string =>
  frequencyMhz === null ? '' : `Their mean frequency was ${formatNumber(frequencyMhz / 1_000)} GHz.`;

/** The machine and the programs that measured; facts that the file does not tell are left out. */
export function environmentFacts({ environment, startedAt, endedAt, runId, trials }: RunModel): readonly Fact[] {
  const use = machineOf(trials.flatMap(({ result }) => result ?? []));
  const facts: readonly Fact[] = [
    ['Machine', `${environment.cpu}, ${environment.cores} cores, ${formatBytes(environment.memoryBytes)}`],
    ['While it measured', use ? [machineText(use), speedText(use)].join(' ').trim() : ''],
    ['System', environment.os],
    ['Dyno', `${environment.app} (${versionsOf(environment.runtime)})`],
    ['Drivers', versionsOf(environment.drivers)],
    ['Run', `${runId}, ${startedAt}${endedAt === null ? '' : ` to ${endedAt}`}`],
  ];
  return facts.filter(([, value]) => value !== '');
}
