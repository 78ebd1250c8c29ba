import { useEffect } from 'react';
import type { PanelLink } from '#analysis/findings/shared/finding.ts';
import { type Filter, noFilter } from './results-filter.ts';

/** The filter for a view that a link opens. It shows only the link's variant, so that the chart shows the number. */
export const filterOf = (link: PanelLink | null): Filter =>
  link?.cell ? { ...noFilter, variant: link.cell.variant } : noFilter;

/** Scrolls to the chart or table of a link and focuses it, once its view is there. */
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
