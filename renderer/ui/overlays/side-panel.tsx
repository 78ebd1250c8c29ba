import { type ReactNode, useEffect, useRef } from 'react';

interface Props {
  readonly label: string;
  /** The label of the part that scrolls. */
  readonly bodyLabel: string;
  /** The subject of the content. The panel takes the focus when the subject changes. */
  readonly subject: unknown;
  readonly head: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Content at the right edge, beside a page that stays usable. Escape closes it, and the focus returns. */
export const SidePanel = ({ label, bodyLabel, subject, head, onClose, children }: Props) => {
  const own = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new subject takes the focus
  useEffect(() => {
    const { activeElement } = document;
    if (!own.current?.contains(activeElement)) opener.current = activeElement;
    own.current?.focus();
  }, [subject]);
  useEffect(
    () => () => {
      const { current } = opener;
      const isFocusLost = document.activeElement === null || document.activeElement === document.body;
      if (isFocusLost && (current instanceof HTMLElement || current instanceof SVGElement)) current.focus();
    },
    [],
  );
  return (
    <aside
      ref={own}
      className="side-panel"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <header className="side-panel-head">{head}</header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="side-panel-body" aria-label={bodyLabel} tabIndex={0}>
        {children}
      </section>
    </aside>
  );
};
