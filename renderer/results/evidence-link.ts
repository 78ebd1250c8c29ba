import { useEffect } from 'react';
import type { PanelLink } from '#analysis/findings/shared/finding.ts';
import { type Filter, noFilter } from './results-filter.ts';

/**
 * The filter with which a view opens that a link leads to: the link's variant alone, so that its chart shows the
 * number.
 */
export const filterOf = (link: PanelLink | null): Filter =>
  link?.cell ? { ...noFilter, variant: link.cell.variant } : noFilter;

/** Brings the chart or table of a link into sight, and the keyboard to it, once its view is there. */
export function useScrollTo(link: PanelLink | null): void {
  useEffect(() => {
    if (link === null) return;
    const frame = requestAnimationFrame(() => {
      const found = document.querySelector<HTMLElement>(`[data-chart="${CSS.escape(link.panel)}"]`);
      found?.scrollIntoView({ block: 'start' });
      found?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [link]);
}
