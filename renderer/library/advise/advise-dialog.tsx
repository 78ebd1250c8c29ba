import { useState } from 'react';
import { advisableTargets } from '#analysis/advise/advisable-targets.ts';
import { adviceProblem, adviseDialog, advising, cancelAdvice, startAdvice } from '../../state/advice.ts';
import { useStore } from '../../state/store.ts';
import { checkProblem, useCheckOf } from '../../state/use-check-of.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/fields.tsx';
import { type NumberEntry, NumberField, numberProblem } from '../../ui/controls/number-field.tsx';
import { Notice } from '../../ui/display/notice.tsx';
import { ProgressBar } from '../../ui/display/progress-bar.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { formatWait } from '../../ui/text/format-wait.ts';

const budgetRules = { min: 0.2, max: 1_440 } as const;
const usualMinutes = 20;

const close = () => adviseDialog.set(null);

/** The budget and the target of an advice. */
const Question = ({ text }: { readonly text: string }) => {
  const check = useCheckOf(text);
  const targets = check?.checked?.plan ? advisableTargets(check.checked.plan) : null;
  const [chosen, setChosen] = useState<string | null>(null);
  const [minutes, setMinutes] = useState<NumberEntry>(usualMinutes);
  const failed = useStore(adviceProblem);
  const problem =
    checkProblem(check) ??
    (targets?.length === 0 ? 'The experiment has no statements of its own, and advice is about statements.' : failed);
  const target = chosen ?? targets?.[0] ?? null;
  const budget = typeof minutes === 'number' && numberProblem(minutes, budgetRules) === null ? minutes * 60 : null;
  return (
    <>
      <div className="dialog-body stack">
        <p>
          Dyno reads the plans of the statements, tries candidates (indexes, other texts, settings of sessions) on
          tables that it makes and drops, and measures the best of them beside the statements as they are. It changes no
          table of yours.
        </p>
        {problem !== null && <Notice tone="error" title={problem} />}
        <div className="row">
          {targets !== null && targets.length > 1 && (
            <Select
              label="Target"
              choices={targets.map((name) => ({ id: name, label: name }))}
              value={target}
              onChange={setChosen}
            />
          )}
          <NumberField
            label="Budget, minutes"
            help="After this time, nothing is measured."
            required
            {...budgetRules}
            value={minutes}
            onChange={setMinutes}
          />
        </div>
      </div>
      <div className="dialog-actions">
        <Button onPress={close}>Cancel</Button>
        <Button
          kind="primary"
          icon="play"
          isDisabled={target === null || budget === null}
          onPress={() => void startAdvice(text, target, budget ?? 0)}
        >
          Advise
        </Button>
      </div>
    </>
  );
};

/** The progress of an advice. */
const Progress = () => {
  const now = useStore(advising);
  if (now === null) return null;
  const { step, startedMs, budgetSeconds } = now;
  const run = step?.progress ?? null;
  const left = budgetSeconds - (performance.now() - startedMs) / 1_000;
  return (
    <>
      <div className="dialog-body stack">
        <ProgressBar label="Progress of the advice" fraction={run?.fraction ?? null} />
        <p role="status">{step?.activity ?? 'Starting'}</p>
        <p className="muted">
          {[
            ...(run === null ? [] : [run.activity, `${run.trialsDone} of ${run.trialsPlanned} trials`]),
            left > 0 ? `at most ${formatWait(left)} left` : 'ending',
          ].join(' · ')}
        </p>
        <p className="muted">
          You can close this dialog: the advice goes on, and its run is kept in Runs with the recommendations.
        </p>
      </div>
      <div className="dialog-actions">
        <Button icon="stop" onPress={cancelAdvice}>
          Cancel the advice
        </Button>
        <Button onPress={close}>Close</Button>
      </div>
    </>
  );
};

/** Finds and measures changes that make the statements of an experiment faster. */
export const AdviseDialog = () => {
  const text = useStore(adviseDialog);
  const isRunning = useStore(advising) !== null;
  return (
    <Dialog title="Advise" open={text !== null} onClose={close}>
      {isRunning ? <Progress /> : text !== null && <Question text={text} />}
    </Dialog>
  );
};
