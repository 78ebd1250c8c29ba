/** `ref` of a box with wide content: focusable while there is something to scroll, so that arrow keys scroll it. */
export function scrollable(box: HTMLElement | null): (() => void) | undefined {
  if (box === null) return;
  const measure = () => {
    const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
    if (scrolls) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  };
  const sizes = new ResizeObserver(measure);
  for (const one of [box, ...box.children]) sizes.observe(one);
  const children = new MutationObserver(measure);
  children.observe(box, { childList: true });
  return () => {
    sizes.disconnect();
    children.disconnect();
  };
}
