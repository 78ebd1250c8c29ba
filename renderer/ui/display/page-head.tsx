import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** A status or mark beside the title. */
  readonly mark?: ReactNode;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
}

export const PageHead = ({ title, mark, subtitle, actions }: Props) => (
  <header className="page-head">
    <div className="page-head-line">
      <h1>{title}</h1>
      {mark}
    </div>
    <div className="page-head-actions">{actions}</div>
    {subtitle && <div className="page-head-sub">{subtitle}</div>}
  </header>
);
