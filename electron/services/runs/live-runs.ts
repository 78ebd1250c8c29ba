import { basename, dirname } from 'node:path';
import type { Passwords } from '#model/connections.ts';
import { DynoError, fromErrorData } from '#model/error.ts';
import { advise } from '#orchestrator/advise/advise.ts';
import { createRun, resumeRun } from '#orchestrator/run/run.ts';
import type { Run } from '#orchestrator/run/run-scheduler.ts';
import type { Home } from '#platform/paths.ts';
import type { Answers, RunProgress } from '#protocol/ipc.ts';
import { runFileEnding } from '#workspace/runs/journal-file.ts';
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
  /** Resolves with the id of the run that keeps the advice; throws as `start` does, and 'cancelled'. */
  advise(asked: AskedAdvice): Promise<string>;
  cancelAdvice(): void;
  get(runId: string): Run | undefined;
  all(): readonly Run[];
  /** Ends all runs at once (Run.endNow), and resolves when their journals are closed. */
  endAll(): Promise<void>;
  /** Cancels all runs, and resolves when their journals are closed. */
  cancelAll(): Promise<void>;
}

type AskedAdvice = Pick<
  Parameters<typeof advise>[0],
  'experiment' | 'file' | 'passwords' | 'confirmed' | 'budgetSeconds' | 'target'
>;

/** An advice that is being measured, with its present or last run. */
interface Advising {
  readonly stop: AbortController;
  readonly ended: Promise<unknown>;
  run: Run | null;
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
  let advising: Advising | null = null;

  /** The run before, of which only the clean-up may remain. Throws while another run or an installation goes on. */
  function requireAlone(): Live | undefined {
    const tool = beingInstalled();
    if (tool !== null)
      throw new DynoError('badInput', `“${tool}” is being installed, and this would be measured with the run.`, {
        hint: 'Wait for the end of the installation, or cancel it.',
      });
    const [other] = live.values();
    const going = advising?.run ?? other?.run;
    if (starting || advising !== null || (other && !other.over()))
      throw new DynoError(
        'badInput',
        going ? `“${going.plan.experiment.name}” is still running.` : 'Another run is just being started.',
        { hint: 'Two runs at once would measure each other. Wait for its end, or cancel it.' },
      );
    return other;
  }

  async function alone(create: () => Promise<Run>): Promise<string> {
    const other = requireAlone();
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

  /** Relays the progress of a run of an advice. The first runs are in a temporary folder, which the page cannot see. */
  function attendAdvice(own: Advising, activity: () => string, run: Run): Disposable {
    own.run = run;
    const isKept = dirname(run.file) === home.runs;
    const tell = throttled((progress: RunProgress) => {
      send('run:advising', { activity: activity(), progress });
      if (isKept) send('run:progress', progress);
    });
    const unattend = isKept ? attendRun(run, desktop, (runId) => send('run:chosen', { runId })) : () => {};
    const offs = [
      run.on('progress', tell),
      run.on('record', (record) => {
        if (record.record === 'target' && record.target.error?.kind === 'authentication') onRefused(record.target.name);
        if (isKept && (record.record === 'header' || record.record === 'end')) send('runs:changed', null);
      }),
    ];
    return {
      [Symbol.dispose]() {
        for (const off of offs) off();
        unattend();
        if (isKept) tell({ ...run.progress, live: false });
      },
    };
  }

  async function adviseAlone(asked: AskedAdvice): Promise<string> {
    const other = requireAlone();
    const stop = new AbortController();
    const permitSleep = desktop.keepAwake();
    const { promise: ended, resolve: end } = Promise.withResolvers<null>();
    const own: Advising = { stop, ended, run: null };
    advising = own;
    let activity = '';
    try {
      await other?.ended.catch(() => {});
      const { run } = await advise({
        ...asked,
        ...{ home, folder: home.experiments, signal: stop.signal },
        onActivity(text) {
          activity = text;
          send('run:advising', { activity, progress: null });
        },
        onRun: (next) => attendAdvice(own, () => activity, next),
      });
      return basename(run, runFileEnding);
    } finally {
      advising = null;
      permitSleep();
      send('runs:changed', null);
      // The experiment of the advice is in the library.
      send('library:changed', null);
      end(null);
    }
  }

  async function allEnded(): Promise<void> {
    // No further run of an advice begins.
    advising?.stop.abort(new DynoError('cancelled', 'The advice was cancelled.'));
    await Promise.all([...[...live.values()].map(({ ended }) => ended), advising?.ended]);
  }

  const runsNow = (): readonly Run[] => [
    ...[...live.values()].map(({ run }) => run),
    ...(advising?.run ? [advising.run] : []),
  ];

  return {
    start: (experiment, passwords, { confirmed, changed }) =>
      alone(() => createRun({ home, experiment, passwords, confirmed, changed })),
    resume: (file, experiment, passwords, { confirmed, changed }) =>
      alone(() => resumeRun({ home, file, experiment, passwords, confirmed, changed })),
    advise: adviseAlone,
    cancelAdvice: () => advising?.stop.abort(new DynoError('cancelled', 'The advice was cancelled.')),
    get: (runId) => runsNow().find(({ id }) => id === runId),
    all: runsNow,
    async endAll() {
      for (const run of runsNow()) run.endNow();
      await allEnded();
    },
    async cancelAll() {
      for (const run of runsNow()) run.cancel();
      await allEnded();
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
