import type { ReactNode } from 'react';

interface Props {
  /** The name of the region for screen readers. */
  readonly label: string;
  /** Classes beside that of a page's body. */
  readonly className: string;
  readonly children: ReactNode;
}

/** The body of a page of text. It scrolls, also by the keyboard. */
export const ScrollingPage = ({ label, className, children }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
  <section className={`page-body ${className}`} aria-label={label} tabIndex={0}>
    {children}
  </section>
);
