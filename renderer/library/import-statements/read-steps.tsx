import { type ReactNode, useState } from 'react';
import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import { attempt, request } from '../../state/bridge.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ServerChoice, type useOwnServers } from '../test-sql/server-choice.tsx';
import { StepTitle } from '../test-sql/step-title.tsx';

/** The parts of the dialog *New from a server*. */
export interface ServerPart {
  readonly chosen: string | null;
  readonly onChoose: (target: string) => void;
  /** The choice between statements and tables. */
  readonly what: ReactNode;
  readonly onClose: () => void;
}

/** A reading of a server, which the user may stop. */
interface Reading<T> {
  /** Null: nothing was read. */
  readonly answer: T | null;
  /** The reason why nothing could be read; null: there is none. */
  readonly problem: string | null;
  readonly isReading: boolean;
  readonly read: (ask: () => Promise<T | null>) => Promise<void>;
  readonly stop: () => void;
  readonly forget: () => void;
}

export function useReading<T>(): Reading<T> {
  const [answer, setAnswer] = useState<T | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  const forget = () => {
    setAnswer(null);
    setProblem(null);
  };
  const read = async (ask: () => Promise<T | null>) => {
    setReading(true);
    forget();
    try {
      setAnswer(await ask());
    } catch (thrown) {
      const error = toErrorData(thrown);
      setProblem(error.kind === 'cancelled' ? null : errorText(error));
    } finally {
      setReading(false);
    }
  };
  const stop = () => void attempt('Could not stop', () => request('statements:cancel', null));
  return { answer, problem, isReading, read, stop, forget };
}

interface Props<T> extends ServerPart {
  readonly servers: ReturnType<typeof useOwnServers>;
  readonly title: string;
  readonly about: string;
  readonly reading: Reading<T>;
  /** The text of the button that reads; null: the server has nothing to read. */
  readonly readLabel: string | null;
  readonly onRead: () => void;
  /** A sentence beside the buttons at the end. */
  readonly summary: string;
  readonly canMake: boolean;
  readonly onMake: () => void;
  readonly children: ReactNode;
}

/** The steps that make an experiment from what a server has: choose it, read, tick, make. */
export const ReadSteps = <T,>(props: Props<T>) => {
  const { reading, servers, chosen, onChoose, what, title, about, readLabel, onRead } = props;
  const { isReading, stop, forget, answer, problem } = reading;
  return (
    <>
      <div className="dialog-body test-sql">
        <ServerChoice
          servers={servers}
          chosen={chosen}
          onChange={(target) => {
            if (isReading) stop();
            onChoose(target);
            forget();
          }}
          onLeave={props.onClose}
        />
        <section aria-label={title} className="test-sql-main import-statements">
          <StepTitle step={2} title={title}>
            {what}
          </StepTitle>
          <div className="row">
            <p className="grow" aria-live="polite">
              {about}
            </p>
            {readLabel !== null && (
              <Button onPress={isReading ? stop : onRead}>
                {isReading ? 'Stop reading' : answer === null ? readLabel : 'Read again'}
              </Button>
            )}
          </div>
          {problem !== null && <p role="alert">{problem}</p>}
          {props.children}
        </section>
      </div>
      <div className="dialog-actions test-sql-actions">
        <p className="grow muted" aria-live="polite">
          {props.summary}
        </p>
        <Button onPress={props.onClose}>Cancel</Button>
        <Button kind="primary" isDisabled={!props.canMake} onPress={props.onMake}>
          Make the experiment
        </Button>
      </div>
    </>
  );
};
