import { attempt, request } from './bridge.ts';
import { linkToLiveRun } from './live-run.ts';
import { goTo } from './navigation.ts';
import { withAnswers } from './passwords.ts';

export async function resumeRun(runId: string): Promise<void> {
  const resume = () => withAnswers((answers) => request('runs:resume', { runId, ...answers }));
  const resumed = await attempt('Could not resume the run', resume, linkToLiveRun);
  if (resumed) goTo({ page: 'run', runId: resumed.runId });
}

/** Runs the unchanged experiment of an earlier run again. */
export async function runAgain(runId: string): Promise<void> {
  const start = async () => {
    const { text } = await request('runs:experiment', { runId });
    return withAnswers((answers) => request('runs:start', { text, ...answers }));
  };
  const started = await attempt('Could not start the run', start, linkToLiveRun);
  if (started) goTo({ page: 'run', runId: started.runId });
}
