/** Gives the focus to the first such element, and brings it into view. */
export function focusOn(selector: string): void {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  found?.scrollIntoView({ block: 'nearest' });
}
