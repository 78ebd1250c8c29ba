import { type RefObject, useEffect, useState } from 'react';

/** The distance from the visible part of the page at which content is drawn, so that scrolling shows no gaps. */
const marginPx = 400;

/**
 * True while the element of `ref` is near the visible part of its page. Long lists of drawings draw only these. Content
 * that has the focus stays.
 */
export function useInSight(ref: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry) setNear(entry.isIntersecting || element.contains(document.activeElement));
      },
      { root: element.closest('.page-body'), rootMargin: `${marginPx}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return isNear;
}
