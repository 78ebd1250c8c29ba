import type { CheckedStep, SteppedReport } from '#model/check-step.ts';
import type { CheckReport } from '#model/connections.ts';
import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';

/** The outcome of a successful step. */
export interface StepOutcome {
  readonly state: 'ok' | 'limited' | 'skipped';
  readonly detail: string;
}

type StepOf<R extends SteppedReport<string>> = R['steps'][number]['step'];

/** The report of a running check. Calls back on every change. */
interface StepBoard<R extends SteppedReport<string>> {
  readonly report: R;
  note(more: Partial<Omit<R, keyof SteppedReport<string>>>): void;
  /** Runs one step. Returns true if the next step may begin. */
  run(step: StepOf<R>, work: () => Promise<StepOutcome>): Promise<boolean>;
  set(step: StepOf<R>, change: Partial<CheckedStep<StepOf<R>>>): void;
  /** Marks the remaining steps as skipped and derives the state from the steps. */
  end(isCancelled: boolean): R;
}

/** The board of a connection's check. */
export type ConnectionBoard = StepBoard<CheckReport>;

/** `begun`: the report before the first step. `clean` removes secrets from texts. */
export function createStepBoard<R extends SteppedReport<string>>(
  begun: R,
  clean: (text: string) => string,
  onChange: (report: R) => void,
): StepBoard<R> {
  let report = begun;
  const change = (more: Partial<R> | Partial<SteppedReport<string>>) => {
    report = { ...report, ...more };
    onChange(report);
  };
  const set = (name: string, more: Partial<CheckedStep<string>>) =>
    change({ steps: report.steps.map((one) => (one.step === name ? { ...one, ...more } : one)) });
  const cleaned = (error: ErrorData): ErrorData => ({
    ...error,
    message: clean(error.message),
    hint: error.hint === null ? null : clean(error.hint),
  });
  const isFailed = () => report.steps.some(({ state }) => state === 'failed');

  return {
    get report() {
      return report;
    },
    note: change,
    set: (name, more) => set(name, { ...more, ...(more.error && { error: cleaned(more.error) }) }),
    async run(name, work) {
      set(name, { state: 'running' });
      const from = performance.now();
      try {
        const { state, detail } = await work();
        set(name, { state, detail: clean(detail), ms: state === 'skipped' ? null : performance.now() - from });
        return true;
      } catch (thrown) {
        set(name, { state: 'failed', error: cleaned(toErrorData(thrown)), ms: performance.now() - from });
        return false;
      }
    },
    end(isCancelled) {
      const isOpen = ({ state, error }: CheckedStep<string>) =>
        state === 'waiting' || state === 'running' || (isCancelled && error?.kind === 'cancelled');
      const steps = report.steps.map((one) =>
        isOpen(one) ? { ...one, state: 'notTried' as const, ms: null, detail: '', error: null } : one,
      );
      const state = isCancelled
        ? 'cancelled'
        : isFailed()
          ? 'failed'
          : steps.some((one) => one.state === 'limited')
            ? 'limited'
            : 'ok';
      change({ steps, state });
      return report;
    },
  };
}

/** The time limit is long enough for any step on a healthy server. */
export const stepMs = 30_000;

/**
 * Runs the work with a signal that also ends by time. A timeout is reported as such, however the work handles the
 * abort.
 */
export async function timed<T>(ms: number, signal: AbortSignal, work: (limit: AbortSignal) => Promise<T>): Promise<T> {
  const time = AbortSignal.timeout(ms);
  try {
    return await work(AbortSignal.any([signal, time]));
  } catch (thrown) {
    const isOurs = time.aborted && !signal.aborted && toErrorData(thrown).kind !== 'timeout';
    if (isOurs)
      throw new DynoError('timeout', `There was no answer within ${ms / 1_000} s.`, {
        hint: 'Something is there but does not react: another kind of server, one that hangs, or a firewall in between?',
      });
    throw thrown;
  }
}
