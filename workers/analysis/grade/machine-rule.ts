import type { MachineUse, TrialResult } from '#protocol/measurement.ts';
import {
  busyShare,
  machineOf,
  shareOfProcessors,
  starvedFrom,
  stealShare,
  throttledShare,
  waitedShare,
} from '../client/machine.ts';
import type { CellFacts, RunFacts } from '../findings/shared/facts.ts';
import { formatShare, inCellsText, levelOf, type Problem, type Severity, severityOf } from './problem.ts';

/** Waits of this share of the clients’ time change the results more than most differences between servers. */
const graveWait = 0.25;
/** Other programs below this share of the processors’ time leave enough for client and server. */
const othersFrom = 0.2;
const graveOthers = 0.5;
/** Below this use, programs do not take processors from each other. */
const fullFrom = 0.8;
/** Below this use, no program took the processors (findings/client/machine-starved.ts has the same limit). */
const leastInUse = 0.5;
/** A culprit took at least this share of the processors’ time. */
const leastCulprit = 0.05;

/**
 * The machine was short of processors: client processes waited for one, or other programs took a large share of a full
 * machine. Only Linux reports both.
 */
export function machineProblem(facts: RunFacts): Problem | null {
  const cells = facts.measured.map((cell) => ({ cell, severity: severity(cell) }));
  const level = levelOf(cells.map((one) => one.severity));
  if (level === null) return null;
  const hit = cells.flatMap(({ cell, severity: found }) => (found === null ? [] : [cell]));
  const results = hit.flatMap(resultsOf);
  const counted = { count: hit.length, of: cells.length };
  const where = inCellsText(counted);
  const use = machineOfClients(results);
  const waited = waitedShare(results);
  const found = culpritOf(
    use,
    hit.some((cell) => mayHaveServer(cell)),
  );
  const waits =
    waited === null || waited < starvedFrom ? '' : `, and the client waited for one ${formatShare(waited)} of its time`;
  return {
    rule: 'machine',
    level,
    reason: `${found.reason}${where}${waits}`,
    advice: found.advice,
    remedy: null,
    culprit: found.culprit,
    cells: counted,
  };
}

const resultsOf = ({ views }: CellFacts) => views.flatMap(({ result }) => result ?? []);

/** The use of the machine of the clients. Null: it is unknown, or other machines sent load, too. */
const machineOfClients = (results: readonly TrialResult[]): MachineUse | null =>
  results.some(({ loadHosts }) => loadHosts !== undefined) ? null : machineOf(results);

function severity(cell: CellFacts): Severity | null {
  const results = resultsOf(cell);
  const waits = severityOf(waitedShare(results) ?? 0, starvedFrom, graveWait);
  const use = machineOfClients(results);
  // A server of the user's on this machine is one of the other programs.
  if (waits === 'grave' || use === null || mayHaveServer(cell) || busyShare(use) < fullFrom) return waits;
  const others = (use.others ?? []).reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  return severityOf(shareOfProcessors(others, use) ?? 0, othersFrom, graveOthers) ?? waits;
}

/** True if the cell's server may run on this machine and was not started by Dyno. */
const mayHaveServer = ({ target, inProcess, views }: CellFacts): boolean =>
  !inProcess &&
  !target.descriptor.builtIn.some((built) => built.target === target.name) &&
  views.some(({ result }) => result?.roundTrip?.handshakes?.sameMachine === true);

const quiet = 'Run again when the machine is quiet.';

/** The largest user of the processors besides Dyno, as a clause; without a culprit if the use is unknown. */
function culpritOf(
  use: MachineUse | null,
  hasServer: boolean,
): { readonly reason: string; readonly advice: string; readonly culprit: string | null } {
  const named = (use?.others ?? []).map(({ name, cpuMs }) => ({ name, share: shareOfProcessors(cpuMs, use!) ?? 0 }));
  const [program] = named.toSorted((a, b) => b.share - a.share);
  const machine = [
    { name: 'the hypervisor', share: (use && stealShare(use)) ?? 0 },
    { name: 'a control group', share: (use && throttledShare(use)) ?? 0 },
  ].toSorted((a, b) => b.share - a.share)[0]!;
  if (use !== null && busyShare(use) + (stealShare(use) ?? 0) + (throttledShare(use) ?? 0) < leastInUse)
    return {
      culprit: null,
      reason: 'the client was kept from processors that were idle',
      advice: 'Look for a CPU set or a limit of a container, a cgroup or taskset.',
    };
  if (machine.share >= leastCulprit && machine.share > (program?.share ?? 0))
    return {
      culprit: machine.name,
      reason:
        machine.name === 'the hypervisor'
          ? `the hypervisor gave ${formatShare(machine.share)} of the processors’ time to other machines`
          : `the limit of a control group kept ${formatShare(machine.share)} of the processors’ time from Dyno`,
      advice:
        machine.name === 'the hypervisor'
          ? 'Run again when the host is quiet, or on a machine that shares its processors with no other.'
          : 'Raise the limit of the control group or container, and run again.',
    };
  if (program !== undefined && program.share >= leastCulprit)
    return {
      culprit: program.name,
      reason: `“${program.name}” took ${formatShare(program.share)} of the processors’ time`,
      advice: hasServer
        ? `If “${program.name}” is the server, run it on another machine; otherwise run again when the machine is quiet.`
        : quiet,
    };
  if (use === null) return { culprit: null, reason: 'the client had too few free processors', advice: quiet };
  if (use.others === null)
    return { culprit: null, reason: 'another program took processors from the client', advice: quiet };
  return {
    culprit: null,
    reason: 'client and server need more processors than the machine has',
    advice: 'Run the server or the client on another machine, or use fewer connections.',
  };
}
