import type { ReactNode } from 'react';
import { PanelBoundary } from './panel-boundary.tsx';

interface Props {
  /** The accessible name of the region. */
  readonly label: string;
  /** The anchor for links: the id of a panel of the outline. */
  readonly anchor?: string | undefined;
  readonly title: ReactNode;
  /** A line below the title. */
  readonly about?: ReactNode;
  /** The controls to the right of the title. */
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
    <PanelBoundary title={label}>{children}</PanelBoundary>
  </section>
);
