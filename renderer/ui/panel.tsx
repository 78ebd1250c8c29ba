import type { ReactNode } from 'react';

interface Props {
  /** Name of the region, for screen readers. */
  readonly label: string;
  /** Where links to evidence lead (analysis/findings PanelLink.panel). */
  readonly anchor?: string;
  readonly title: ReactNode;
  /** A line below the title. */
  readonly about?: ReactNode;
  /** At the right of the title. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A titled box of a page. */
export const Panel = ({ label, anchor, title, about, action, children }: Props) => (
  <section className="panel" aria-label={label} data-chart={anchor} tabIndex={anchor === undefined ? undefined : -1}>
    <header className="panel-head">
      <div>
        <h2>{title}</h2>
        {about !== undefined && <p className="faint chart-about">{about}</p>}
      </div>
      {action}
    </header>
    {children}
  </section>
);
