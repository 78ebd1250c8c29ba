import type { ReactNode } from 'react';

interface Props {
  readonly step: number;
  readonly title: string;
  /** Controls behind the title. */
  readonly children?: ReactNode;
}

/** The heading of a step of a dialog. */
export const StepTitle = ({ step, title, children }: Props) => (
  <h3>
    <span className="test-sql-step">{step}</span>
    {title}
    {children}
  </h3>
);
