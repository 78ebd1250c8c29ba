/** `ref` of a box with wide content: makes it focusable, so that arrow keys scroll it. */
export function scrollable(box: HTMLElement | null): void {
  if (box !== null) box.tabIndex = 0;
}
