import { formatPercent } from '#model/format/format.ts';
import { placeStages } from '#model/stages.ts';
import type { MachineUse } from '#protocol/measurement.ts';
import {
  busyShare,
  coresOf,
  machineOf,
  machineText,
  pressureShare,
  starvedFrom,
  stealShare,
  throttledShare,
  waitedShare,
} from '../../client/machine.ts';
import { type CellEvidence, number, share } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';

/** Shorter stages are not judged separately. */
const leastMs = 3_000;

/** Below this share of used, stolen or withheld processor time, other work does not explain the waits of processes. */
const leastInUse = 0.5;

/** The client's processes were ready to run and had no processor, so every time includes waits for the machine. */
export const machineStarved: Rule = {
  title: 'Short of processors',
  bottleneck: 'the machine’s processors',
  looksFor: 'client processes that were ready to run and had no processor, and the programs that used the machine',
  shownWhen: 'client processes waited for a processor for 10 % of their time; only Linux reports it',
  find: eachCell(judge),
};

function judge(facts: RunFacts, cell: CellFacts): CellOutcome {
  const results = cell.views.flatMap(({ result }) => result ?? []);
  const whole = waitedShare(results);
  const machine = machineOf(results);
  const ran = machine ? ` ${machineText(machine)}` : '';
  if (whole === null) return cannotTell(`This system does not report how long a process waits for a processor.${ran}`);
  // The light load at the beginning of a ramp is no evidence about its end.
  const stage = whole < starvedFrom ? worstStage(facts, cell) : null;
  const waited = stage?.waited ?? whole;
  if (waited < starvedFrom)
    return notShown(`Its client processes waited for a processor for ${formatPercent(whole)} of their time.`);
  const isIdle =
    machine !== null && busyShare(machine) + (stealShare(machine) ?? 0) + (throttledShare(machine) ?? 0) < leastInUse;
  return shown({
    claim: `${stage ? `In the stage “${stage.name}” ` : ''}${cell.name} measured a machine short of processors: its client processes were ready to run and had no processor for ${formatPercent(waited)} of their time${stage ? `; over the whole run ${formatPercent(whole)}` : ''}.${ran}${isIdle ? ' Most of the processors’ time was unused: CPU affinity or a cgroup limit kept Dyno from using them.' : ''}`,
    // The system counted the waits.
    confidence: 'certain',
    explains: waited,
    evidence: [share('Waited for a processor', waited, 'client-health'), ...(machine ? machineEvidence(machine) : [])],
    advice: `${isIdle ? advice.idle : isOwn(machine) ? advice.own : advice.others} Until then, times include the wait, and the throughput of this cell is a lower limit for the server, not its speed.`,
    confirm: null,
  });
}

const advice = {
  idle: 'Find out what binds Dyno’s processes to some of the processors: the CPU set of a container or cgroup, or taskset.',
  own: 'The client and the managed servers used most of the processor time themselves: run one of them on another machine, or use fewer connections.',
  others:
    'Stop the other programs on this machine, or run the client on a separate machine. More client processes would not help, because they would wait, too.',
};

/** True if Dyno and its managed servers account for most of the used processor time. */
const isOwn = (use: MachineUse | null): boolean =>
  use !== null && (use.dynoMs ?? 0) + (use.managedServersMs ?? 0) > use.busyMs / 2;

/** The system's own figures of the machine during the trials; unreported figures are left out. */
function machineEvidence(use: MachineUse): readonly CellEvidence[] {
  const [most] = use.others ?? [];
  const told = (label: string, value: number | null) => (value === null ? [] : [share(label, value, 'machine')]);
  return [
    ...told('Processors busy', busyShare(use)),
    ...(most ? [number(`Cores used by ${most.name}`, coresOf(most.cpuMs, use), 'machine')] : []),
    ...told('Some process waited for a processor', pressureShare(use)),
    ...told('Given to others by the hypervisor', stealShare(use)),
    ...told('Kept from Dyno by its control group’s limit', throttledShare(use)),
  ];
}

/** The stage of the load, over all trials, with the longest waits; null if no stage is long enough. */
function worstStage(
  { model }: RunFacts,
  { views }: CellFacts,
): { readonly name: string; readonly waited: number } | null {
  const stages = placeStages(model.plan.measure.stages ?? []).flatMap(({ name, fromMs, toMs }) => {
    const waits = views.flatMap(({ series: { atMs, noProcessorMs } }) =>
      atMs.flatMap((at, i) => (at > fromMs && at <= toMs ? [(noProcessorMs[i] ?? 0) / 1_000] : [])),
    );
    if (waits.length === 0 || toMs - fromMs < leastMs) return [];
    return [{ name, waited: waits.reduce((sum, one) => sum + one, 0) / waits.length }];
  });
  return stages.toSorted((a, b) => b.waited - a.waited)[0] ?? null;
}
