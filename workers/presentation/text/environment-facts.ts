import { formatFrequency, machineOf, machineText, pressureShare } from '#analysis/client/machine.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { poolerText } from '#engine-api/cautions.ts';
import { formatBytes, formatPercent } from '#model/format/format.ts';
import type { MachineUse } from '#protocol/measurement.ts';
import type { Fact } from './fact.ts';

const versionsOf = (record: Readonly<Record<string, string>>): string =>
  Object.entries(record)
    .map((pair) => pair.join(' '))
    .join(', ');

/** The operating system's metrics of its processors, one sentence each. */
function processorText(use: MachineUse): string {
  const pressure = pressureShare(use);
  return [
    ...(pressure === null ? [] : [`Some process waited for a processor for ${formatPercent(pressure)} of the time.`]),
    use.frequencyMhz === null
      ? 'The system does not report the frequency of its processors.'
      : `The mean frequency was ${formatFrequency(use)}.`,
  ].join(' ');
}

/** The sessions of the run that servers still had at its end. */
const sessionsText = (sessionsLeft: RunModel['sessionsLeft']): string =>
  sessionsLeft
    .map(({ target, left }) => `${target}: ${left === null ? 'cannot tell' : left === 0 ? 'none' : left}`)
    .join(', ');

/** The poolers between this machine and the servers. Empty without poolers. */
const poolersText = (targets: RunModel['targets']): string =>
  targets
    .flatMap(({ name, fingerprint }) => (fingerprint?.pooler ? `${name}: ${poolerText(fingerprint.pooler)}` : []))
    .join('; ');

/** The machine and the programs that measured. Facts that the file lacks are left out. */
export function environmentFacts({
  environment,
  startedAt,
  endedAt,
  runId,
  trials,
  targets,
  sessionsLeft,
}: RunModel): readonly Fact[] {
  const use = machineOf(trials.flatMap(({ result }) => result ?? []));
  const facts: readonly Fact[] = [
    ['Machine', `${environment.cpu}, ${environment.cores} cores, ${formatBytes(environment.memoryBytes)}`],
    ['While it measured', use ? `${machineText(use)} ${processorText(use)}` : ''],
    ['System', environment.os],
    ['Dyno', `${environment.app} in ${environment.host}; workers in ${versionsOf(environment.runtime)}`],
    ['Drivers', versionsOf(environment.drivers)],
    ['Connection poolers', poolersText(targets)],
    ['Sessions left on the servers', sessionsText(sessionsLeft)],
    ['Run', `${runId}, ${startedAt}${endedAt === null ? '' : ` to ${endedAt}`}`],
  ];
  return facts.filter(([, value]) => value !== '');
}
