/** Focuses the first element that matches, and scrolls it into view. */
export function focusOn(selector: string): void {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  found?.scrollIntoView({ block: 'nearest' });
}
