import { type RefObject, useEffect, useState } from 'react';

/** The elements that are not visible yet, in page order, each with the function to call once it is visible. */
const waiting = new Map<Element, () => void>();

function begin(element: Element): void {
  const act = waiting.get(element);
  stop(element);
  act?.();
}

function stop(element: Element): void {
  waiting.delete(element);
  observer?.unobserve(element);
}

let observer: IntersectionObserver | null = null;

function observe(element: Element): void {
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) begin(target);
  });
  observer.observe(element);
}

let idle = false;

/** The longest wait for each element, because a busy or covered window has no idle time. */
const idleWithinMs = 500;

/** If less time is left in an idle period, a frame is due, and visible elements come first. */
const idleMs = 20;

/** Elements are handled one after the other, so that a click waits for one element at most. */
function beginNextWhenIdle(): void {
  if (idle) return;
  idle = true;
  const askedAt = performance.now();
  const look = (deadline: IdleDeadline) => {
    if (deadline.timeRemaining() < idleMs && performance.now() - askedAt < idleWithinMs) {
      requestIdleCallback(look, { timeout: idleWithinMs });
      return;
    }
    idle = false;
    const [next] = waiting.keys();
    if (next === undefined) return;
    begin(next);
    beginNextWhenIdle();
  };
  requestIdleCallback(look, { timeout: idleWithinMs });
}

/** Calls `act` as soon as the element is visible, or when the window is idle. Returns a function that cancels this. */
function whenSeen(element: Element, act: () => void): () => void {
  waiting.set(element, act);
  observe(element);
  beginNextWhenIdle();
  return () => stop(element);
}

/** True if the element of `ref` has been seen (see {@link whenSeen}). */
export function useSeen(ref: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => (ref.current ? whenSeen(ref.current, () => setSeen(true)) : undefined), [ref]);
  return isSeen;
}
