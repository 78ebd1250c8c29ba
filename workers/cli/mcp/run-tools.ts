import * as v from 'valibot';
import { formatMs } from '#model/format/format.ts';
import type { AgentRunState } from './agent-runs.ts';
import { askedExperiment, experimentInput, requirePlan } from './asked-experiment.ts';
import { about, type ToolContext, tool, word } from './tool.ts';

/** The longest wait of a call. Clients often give up after a minute. */
const mostWaitSeconds = 600;
const usualWaitSeconds = 30;

const wait = v.optional(
  about(
    v.pipe(v.number(), v.minValue(0), v.maxValue(mostWaitSeconds)),
    'Seconds to wait for the end of the run. It goes on afterwards: follow_run waits further.',
  ),
  usualWaitSeconds,
);

const output = v.object({
  run: about(v.string(), 'The id of the run.'),
  status: about(v.picklist(['running', 'complete', 'cancelled', 'stopped']), 'stopped: its file cannot be written.'),
  trialsDone: v.number(),
  trialsPlanned: v.number(),
  activity: v.string(),
  secondsLeft: about(v.nullable(v.number()), 'Null: unknown.'),
  answer: about(v.array(v.string()), 'The answer of a run that has ended, in sentences.'),
  problems: about(v.array(v.string()), 'Errors of a run that has ended, and what is left to do.'),
});

/** Waits for a run, and tells the client each second how far it is. */
async function followed({ runs, signal, tell }: ToolContext, id: string, seconds: number) {
  const begun = performance.now();
  const state = await runs.follow(id, seconds * 1_000, signal, (now) => {
    const elapsed = (performance.now() - begun) / 1_000;
    tell(elapsed, now.secondsLeft === null ? null : elapsed + now.secondsLeft, progressText(now));
  });
  return { ...state, answer: [...state.answer], problems: [...state.problems] };
}

function progressText({ trialsDone, trialsPlanned, activity, secondsLeft }: AgentRunState): string {
  const left = secondsLeft === null ? '' : `, ${formatMs(secondsLeft * 1_000)} left`;
  return `${trialsDone} of ${trialsPlanned} trials${left}: ${activity}`;
}

/** The tools that start and end runs. */
export const runTools = [
  tool({
    name: 'run_experiment',
    title: 'Run an experiment',
    description:
      'Runs an experiment, one at a time, and waits for its end. If the time to wait is over, the run goes on, and follow_run waits further. If the call is cancelled, so is the run. A text of yours, and an experiment that you change by `set`, may only name built-in targets, and may use no files, environment variables, load hosts or other servers.',
    input: v.strictObject({
      ...experimentInput,
      maxMinutes: v.optional(
        about(
          v.pipe(v.number(), v.minValue(0.05)),
          'The run is cancelled after this time. The user’s limit holds too.',
        ),
      ),
      waitSeconds: wait,
    }),
    output,
    acts: true,
    async answer({ waitSeconds, maxMinutes, ...asked }, context) {
      const wanted = askedExperiment(context, asked);
      await requirePlan(context, wanted);
      const id = await context.runs.start(wanted.given(), wanted.isItsText, maxMinutes);
      const cancel = () => context.runs.cancel(id);
      context.signal.addEventListener('abort', cancel);
      try {
        if (context.signal.aborted) cancel();
        return await followed(context, id, waitSeconds);
      } finally {
        context.signal.removeEventListener('abort', cancel);
      }
    },
  }),
  tool({
    name: 'follow_run',
    title: 'Follow a run',
    description: 'Waits for the end of a run that run_experiment has started, and returns how far it is.',
    input: v.strictObject({ run: word('The id of the run.'), waitSeconds: wait }),
    output,
    acts: false,
    answer: ({ run, waitSeconds }, context) => followed(context, run, waitSeconds),
  }),
  tool({
    name: 'cancel_run',
    title: 'Cancel a run',
    description:
      'Cancels a run that run_experiment has started, and waits until its tables are dropped. The finished trials stay.',
    input: v.strictObject({ run: word('The id of the run.') }),
    output,
    acts: true,
    async answer({ run }, context) {
      context.runs.cancel(run);
      return followed(context, run, usualWaitSeconds);
    },
  }),
];
