/** The time in which a list that is read anew loses the removed item, in ms. */
const limitMs = 5_000;

/** The buttons of a page that open the actions of an item. */
const triggersIn = (page: ParentNode): readonly HTMLElement[] => [
  ...page.querySelectorAll<HTMLElement>('.page-body [aria-haspopup]'),
];

/**
 * Remembers the item of a list whose menu is open or focused, before it is removed. The returned function moves the
 * focus to the actions of the next item when the item has gone: otherwise a user of the keyboard would have to begin
 * at the top of the page.
 */
export function focusAfterRemoval(page: Document = document): () => void {
  const all = triggersIn(page);
  const at = all.findIndex((one) => one.getAttribute('aria-expanded') === 'true' || one === page.activeElement);
  const removed = all[at];
  if (removed === undefined) return () => {};
  const neighbours = [...all.slice(at + 1), ...all.slice(0, at).toReversed()];
  return () => {
    const move = () => {
      if (removed.isConnected) return;
      stop();
      const hasFocus = page.activeElement !== null && page.activeElement !== page.body;
      const next = neighbours.find((one) => one.isConnected) ?? page.querySelector<HTMLElement>('.page-head button');
      if (!hasFocus) next?.focus();
    };
    const observer = new MutationObserver(move);
    const timer = setTimeout(() => observer.disconnect(), limitMs);
    const stop = () => {
      observer.disconnect();
      clearTimeout(timer);
    };
    observer.observe(page.body, { childList: true, subtree: true });
    move();
  };
}
