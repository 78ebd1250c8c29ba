import { attempt, request } from './bridge.ts';
import { linkToLiveRun } from './live-run.ts';
import { goTo } from './navigation.ts';
import { withAnswers } from './passwords.ts';

const start = (text: string) => withAnswers((answers) => request('runs:start', { text, ...answers }));

/** Starts a run of an experiment. Null if none has started. */
export const startRun = (text: string): Promise<{ readonly runId: string } | null> =>
  attempt('Could not start the run', () => start(text), linkToLiveRun);

export async function resumeRun(runId: string): Promise<void> {
  const resume = () => withAnswers((answers) => request('runs:resume', { runId, ...answers }));
  const resumed = await attempt('Could not resume the run', resume, linkToLiveRun);
  if (resumed) goTo({ page: 'run', runId: resumed.runId });
}

/** Runs the unchanged experiment of an earlier run again. */
export async function runAgain(runId: string): Promise<void> {
  const again = async () => start((await request('runs:experiment', { runId })).text);
  const started = await attempt('Could not start the run', again, linkToLiveRun);
  if (started) goTo({ page: 'run', runId: started.runId });
}
