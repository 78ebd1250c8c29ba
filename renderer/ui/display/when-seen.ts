import { type RefObject, useEffect, useState } from 'react';

/** The elements that are not seen yet, in the order of the page, each with the function to call once it is. */
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

/** A window that is busy for long, or behind others, has no idle time: nobody waits longer than this for each. */
const idleWithinMs = 500;

/** Less is left of an idle period where a frame is about to be drawn: what is on the screen comes first. */
const idleMs = 20;

/** One after the other, so that a press need not wait for more than one of them. */
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

/**
 * Calls `act` as soon as the element is on the screen; one outside of it has to wait until the window has nothing else
 * to do. Returns what takes that back.
 */
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
