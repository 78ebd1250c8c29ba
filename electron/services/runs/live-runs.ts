import type { Passwords } from '#model/connections.ts';
import { DynoError, fromErrorData } from '#model/error.ts';
import { createRun, resumeRun } from '#orchestrator/run/run.ts';
import type { Run } from '#orchestrator/run/run-scheduler.ts';
import type { Home } from '#platform/paths.ts';
import type { Answers, RunProgress } from '#protocol/ipc.ts';
import type { TrustedExperiment } from '#workspace/trust/gate.ts';
import type { Send } from '../../ipc.ts';
import { attendRun, type Desktop } from './run-attention.ts';
import type { Watches } from './watches.ts';

interface Live {
  readonly run: Run;
  readonly ended: Promise<unknown>;
  /** True once the last record is written and only clean-up remains. */
  over(): boolean;
}

/** The names that the user has typed to allow a run. */
type Typed = Pick<Answers, 'confirmed' | 'changed'>;

/** The run that this process executes: one at a time, because two would disturb each other. */
export interface LiveRuns {
  /** Starts a run and resolves with its id; throws 'badInput' while another run is live, as `resume` does. */
  start(experiment: TrustedExperiment, passwords: Passwords, typed: Typed): Promise<string>;
  resume(file: string, experiment: TrustedExperiment, passwords: Passwords, typed: Typed): Promise<string>;
  get(runId: string): Run | undefined;
  all(): readonly Run[];
  /** Ends all runs at once (Run.endNow), and resolves when their journals are closed. */
  endAll(): Promise<void>;
  /** Cancels all runs, and resolves when their journals are closed. */
  cancelAll(): Promise<void>;
}

const progressEveryMs = 100;

/**
 * `beingInstalled`: the tool that is fetched now, if any; it would be measured with a run. `onRefused` is told the
 * targets whose server refused the password.
 */
export function createLiveRuns(
  home: Home,
  watches: Watches,
  desktop: Desktop,
  beingInstalled: () => string | null,
  onRefused: (target: string) => void,
  send: Send,
): LiveRuns {
  const live = new Map<string, Live>();

  let starting = false;

  async function alone(create: () => Promise<Run>): Promise<string> {
    const tool = beingInstalled();
    if (tool !== null)
      throw new DynoError('badInput', `“${tool}” is being installed, and this would be measured with the run.`, {
        hint: 'Wait for the end of the installation, or cancel it.',
      });
    const [other] = live.values();
    if (starting || (other && !other.over()))
      throw new DynoError(
        'badInput',
        other ? `“${other.run.plan.experiment.name}” is still running.` : 'Another run is just being started.',
        { hint: 'Two runs at once would measure each other. Wait for its end, or cancel it.' },
      );
    // Set before the first await, so that a second request finds it.
    starting = true;
    try {
      await other?.ended.catch(() => {});
      return await launch(await create());
    } finally {
      starting = false;
    }
  }

  async function launch(run: Run): Promise<string> {
    let over = false;
    const tell = throttled((progress: RunProgress) => send('run:progress', progress));
    run.on('progress', (progress) => {
      if (progress.live) tell(progress);
    });
    run.on('record', (record) => {
      if (record.record === 'end') over = true;
      if (record.record === 'target' && record.target.error?.kind === 'authentication') onRefused(record.target.name);
    });
    // The page watches the run's file once it knows the id, so the file must have its first record.
    const begun = new Promise<null>((resolve) => {
      const off = run.on('record', () => {
        off();
        resolve(null);
      });
    });
    const unattend = attendRun(run, desktop, (runId) => send('run:chosen', { runId }));
    const ended = run.start().finally(async () => {
      live.delete(run.id);
      unattend();
      // The last record must reach the page before the news that no process writes the run, or the run would look
      // interrupted.
      await watches.delivered(run.id);
      tell(run.progress);
      send('runs:changed', null);
    });
    live.set(run.id, { run, ended, over: () => over });
    const outcome = await Promise.race([begun, ended]);
    send('runs:changed', null);
    if (outcome?.error && !outcome.begun) throw fromErrorData(outcome.error);
    return run.id;
  }

  return {
    start: (experiment, passwords, { confirmed, changed }) =>
      alone(() => createRun({ home, experiment, passwords, confirmed, changed })),
    resume: (file, experiment, passwords, { confirmed, changed }) =>
      alone(() => resumeRun({ home, file, experiment, passwords, confirmed, changed })),
    get: (runId) => live.get(runId)?.run,
    all: () => [...live.values()].map(({ run }) => run),
    async endAll() {
      for (const { run } of live.values()) run.endNow();
      await Promise.all([...live.values()].map(({ ended }) => ended));
    },
    async cancelAll() {
      for (const { run } of live.values()) run.cancel();
      await Promise.all([...live.values()].map(({ ended }) => ended));
    },
  };
}

/** Delivers the first value at once, then the latest one at most every progressEveryMs; the last one always arrives. */
function throttled<T>(deliver: (value: T) => void): (value: T) => void {
  let waiting: { readonly value: T } | null = null;
  let timer: NodeJS.Timeout | null = null;
  const tick = () => {
    timer = null;
    if (!waiting) return;
    deliver(waiting.value);
    waiting = null;
    timer = setTimeout(tick, progressEveryMs);
  };
  return (value) => {
    waiting = { value };
    if (!timer) tick();
  };
}
