/** `ref` of a box whose content may be wider than it is: it can be focused, so that arrow keys scroll it. */
export function scrollable(box: HTMLElement | null): void {
  if (box !== null) box.tabIndex = 0;
}
