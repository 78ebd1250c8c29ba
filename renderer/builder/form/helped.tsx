import type { ReactNode } from 'react';
import { HelpButton } from '../../help/help-button.tsx';
import { keyTopic } from '../../help/help-store.ts';
import type { Topic } from '../../help/passages.ts';

interface Props {
  /** The label of the input. */
  readonly about: string;
  /** The help topic, usually the key as the documentation lists it: `measure.repeats`. */
  readonly help: string | Topic;
  /** A button beside the help button. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

/** An input with a help button. */
export const Helped = ({ about, help, beside, children }: Props) => (
  <div className="setting">
    {children}
    {beside}
    <HelpButton about={about} topic={typeof help === 'string' ? keyTopic(help) : help} />
  </div>
);
