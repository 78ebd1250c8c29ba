import type { CheckedStep } from '#model/check-step.ts';
import { formatMs } from '#model/format/format.ts';
import { Icon, type IconName } from '../icon.tsx';

type State = CheckedStep<string>['state'];

const icons: Readonly<Record<State, IconName>> = {
  waiting: 'clock',
  running: 'clock',
  ok: 'check',
  limited: 'warning',
  failed: 'error',
  skipped: 'skip',
  notTried: 'skip',
};
const words: Readonly<Record<State, string>> = {
  waiting: 'waiting',
  running: 'running',
  ok: 'works',
  limited: 'works partly',
  failed: 'failed',
  skipped: 'does not apply',
  notTried: 'not tried',
};

const Step = ({ state, ms, detail, error, title }: Omit<CheckedStep<string>, 'step'> & { readonly title: string }) => (
  <li className="check-step" data-state={state}>
    <Icon name={icons[state]} />
    <div className="grow">
      <div className="check-step-line">
        <strong>{title}</strong>
        <span className={state === 'notTried' || state === 'running' ? 'faint' : 'visually-hidden'}>
          {words[state]}
        </span>
        {ms !== null && <span className="faint">{formatMs(ms)}</span>}
      </div>
      {error ? (
        <>
          <p>{error.message}</p>
          {error.hint && <p className="check-step-hint">{error.hint}</p>}
        </>
      ) : (
        detail && <p className="check-step-detail">{detail}</p>
      )}
    </div>
  </li>
);

interface Props<Name extends string> {
  readonly label: string;
  readonly titles: Readonly<Record<Name, string>>;
  readonly steps: readonly CheckedStep<Name>[];
}

/** The steps of a check, each with its result and advice, also while the check runs. */
export const StepList = <Name extends string>({ label, titles, steps }: Props<Name>) => (
  <ol className="check-steps" aria-label={label}>
    {steps.map(({ step, ...one }) => (
      <Step key={step} title={titles[step]} {...one} />
    ))}
  </ol>
);
