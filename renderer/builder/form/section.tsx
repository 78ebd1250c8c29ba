import { type ReactNode, useId } from 'react';
import { HelpButton } from '../../help/help-button.tsx';
import type { Topic } from '../../help/passages.ts';

interface Props {
  readonly title: string;
  readonly about?: string;
  /** The help topic. */
  readonly help?: Topic;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export const Section = ({ title, about, help, actions, children }: Props) => {
  const id = useId();
  return (
    <section className="form-section" aria-labelledby={id}>
      <header className="form-section-head">
        <div>
          <h2 id={id}>{title}</h2>
          {help && <HelpButton about={title} topic={help} />}
          {about && <p className="faint">{about}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
};
