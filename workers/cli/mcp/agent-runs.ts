import { setTimeout as sleep } from 'node:timers/promises';
import { DynoError, fromErrorData } from '#model/error.ts';
import { formatMs } from '#model/format/format.ts';
import { oneLine } from '#model/text/printable.ts';
import { createRun } from '#orchestrator/run/run.ts';
import type { Run, RunOutcome } from '#orchestrator/run/run-scheduler.ts';
import { estimateSeconds } from '#planning/estimate-seconds.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import type { Home } from '#platform/paths.ts';
import { answerOf } from '#presentation/text/answer.ts';
import { readDurations } from '#workspace/runs/known-durations.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { type GivenFile, openGate } from '#workspace/trust/gate.ts';
import { keepAwake } from '../run/keep-awake.ts';
import { outcomeLines } from '../run/run-and-report.ts';

/** The limits of the runs that an agent starts, which the user has set. */
export interface RunLimits {
  /** Names of built-in targets and of saved connections. */
  readonly allowed: readonly string[];
  /** The longest time of a run. */
  readonly minutes: number;
}

/** How far a run of an agent is. */
export interface AgentRunState {
  readonly run: string;
  readonly status: 'running' | RunOutcome['status'];
  readonly trialsDone: number;
  readonly trialsPlanned: number;
  readonly activity: string;
  /** Null while unknown. */
  readonly secondsLeft: number | null;
  /** The answer in sentences, once the run has ended. */
  readonly answer: readonly string[];
  /** Errors, and what is left to do, once the run has ended. */
  readonly problems: readonly string[];
}

/** The runs that an agent has started in this process, one at a time. */
export interface AgentRuns {
  /** Null: the user has not allowed runs. */
  readonly limits: RunLimits | null;
  /**
   * Starts a run, and resolves with its id. `minutes`: its longest time, at most that of the limits. Throws 'badInput'
   * for an experiment that the gate does not let through, one that takes longer, and while another run goes on.
   */
  start(given: GivenFile, isItsText: boolean, minutes: number | undefined): Promise<string>;
  /** Waits for the end of a run, or for the time or the signal to end, and resolves with its state. */
  follow(id: string, waitMs: number, signal: AbortSignal, tell: (state: AgentRunState) => void): Promise<AgentRunState>;
  /** Cancels a run, which drops its tables. */
  cancel(id: string): void;
  /** Ends the run within two seconds. */
  endNow(): void;
  /** Cancels the run, and resolves when it has ended. */
  close(): Promise<void>;
}

interface Started {
  readonly run: Run;
  readonly ended: Promise<RunOutcome>;
  outcome: RunOutcome | null;
  /** The minutes after which the run was cancelled; null if its time did not run out. */
  cutAfter: number | null;
}

const tellEveryMs = 1_000;

/** The runs that an AI agent starts in this home. Without `limits` it can start none. */
export function createAgentRuns(home: Home, limits: RunLimits | null): AgentRuns {
  const all = new Map<string, Started>();
  let isStarting = false;

  const live = (): Started | undefined => [...all.values()].find(({ outcome }) => outcome === null);

  const find = (id: string): Started => {
    const found = all.get(id);
    if (found) return found;
    throw new DynoError('badInput', `This session has started no run “${oneLine(id)}”.`, {
      hint: 'run_experiment returns the id of its run; read_run reads any run that list_runs shows.',
    });
  };

  function requireAlone(): void {
    const other = live();
    if (!isStarting && other === undefined) return;
    const name = other && oneLine(other.run.plan.experiment.name);
    throw new DynoError('badInput', name ? `“${name}” is still running.` : 'Another run is just being started.', {
      hint: 'Two runs at once would measure each other. Wait for its end (follow_run), or cancel it (cancel_run).',
    });
  }

  async function launch(run: Run, minutes: number): Promise<string> {
    const awake = keepAwake();
    const begun = new Promise<null>((resolve) => {
      const off = run.on('record', () => {
        off();
        resolve(null);
      });
    });
    const started: Started = { run, ended: run.start(), outcome: null, cutAfter: null };
    all.set(run.id, started);
    const timer = setTimeout(() => {
      started.cutAfter = minutes;
      run.cancel();
    }, minutes * 60_000);
    void started.ended.then((outcome) => {
      clearTimeout(timer);
      awake[Symbol.dispose]();
      started.outcome = outcome;
    });
    const outcome = await Promise.race([begun, started.ended]);
    if (outcome?.error && !outcome.begun) {
      all.delete(run.id);
      throw fromErrorData(outcome.error);
    }
    return run.id;
  }

  const runningState = ({ run }: Started): AgentRunState => {
    const { trialsDone, trialsPlanned, activity, secondsLeft } = run.progress;
    return {
      run: run.id,
      status: 'running',
      trialsDone,
      trialsPlanned,
      activity,
      secondsLeft,
      answer: [],
      problems: [],
    };
  };

  async function stateOf(started: Started): Promise<AgentRunState> {
    const { run, outcome, cutAfter } = started;
    const state = runningState(started);
    if (outcome === null) return state;
    const model = await loadRun(home, run.file);
    const cut =
      cutAfter === null ? [] : [`The run was cancelled after ${formatMs(cutAfter * 60_000)}, its time limit.`];
    return {
      ...{ ...state, status: outcome.status, activity: '', secondsLeft: null },
      answer: answerOf(model, baselineOf(model)).sentences,
      problems: [...cut, ...outcomeLines(outcome, model, run, home)],
    };
  }

  return {
    limits,
    async start(given, isItsText, wanted) {
      if (limits === null) throw new DynoError('badInput', 'The user has not allowed runs here.');
      requireAlone();
      isStarting = true;
      try {
        const experiment = openGate(home).forAiAgent(given, { allowed: limits.allowed, isItsText });
        const minutes = Math.min(wanted ?? limits.minutes, limits.minutes);
        requireShort(home, experiment.plan, minutes);
        const run = await createRun({ home, experiment, ...(given.folder !== undefined && { folder: given.folder }) });
        return await launch(run, minutes);
      } finally {
        isStarting = false;
      }
    },
    async follow(id, waitMs, signal, tell) {
      const started = find(id);
      const over = new AbortController();
      const timer = setInterval(() => tell(runningState(started)), tellEveryMs);
      try {
        const wait = sleep(waitMs, null, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => null);
        await Promise.race([started.ended, wait]);
      } finally {
        clearInterval(timer);
        over.abort();
      }
      return stateOf(started);
    },
    cancel: (id) => find(id).run.cancel(),
    endNow: () => live()?.run.endNow(),
    async close() {
      const started = live();
      started?.run.cancel();
      await started?.ended;
    },
  };
}

/** Throws 'badInput' for a run that is expected to take longer. */
function requireShort(home: Home, plan: Run['plan'], minutes: number): void {
  const { least, likely } = estimateSeconds(plan, readDurations(home));
  const seconds = likely ?? least;
  if (seconds <= minutes * 60) return;
  throw new DynoError(
    'badInput',
    `The run would take about ${formatMs(seconds * 1_000)}, and runs may take ${formatMs(minutes * 60_000)} here.`,
    { hint: 'Take a smaller size, fewer levels or repeats, or less time in measure.' },
  );
}
