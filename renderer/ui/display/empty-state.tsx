import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

/** Says what will appear here and how to get it. */
export const EmptyState = ({ title, children }: Props) => (
  <div className="empty">
    <h2>{title}</h2>
    {children}
  </div>
);
