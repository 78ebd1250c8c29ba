import '@testing-library/jest-dom/vitest';
import { configure } from '@testing-library/react';
import * as react from 'react';

// The parts of a browser that jsdom lacks and the window uses. Every element has the size of the window's content.
const size = { width: 1_040, height: 400 };
const rectangle = { ...size, x: 0, y: 0, top: 0, left: 0, right: size.width, bottom: size.height };

class SizeObserver implements ResizeObserver {
  readonly #tell: ResizeObserverCallback;
  constructor(tell: ResizeObserverCallback) {
    this.#tell = tell;
  }
  observe(target: Element): void {
    const entry = { target, contentRect: rectangle } as unknown as ResizeObserverEntry;
    queueMicrotask(() => this.#tell([entry], this));
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** Everything is on the screen. */
class SightObserver {
  readonly #tell: IntersectionObserverCallback;
  constructor(tell: IntersectionObserverCallback) {
    this.#tell = tell;
  }
  observe(target: Element): void {
    const entry = { target, isIntersecting: true } as unknown as IntersectionObserverEntry;
    queueMicrotask(() => this.#tell([entry], this as unknown as IntersectionObserver));
  }
  unobserve(): void {}
  disconnect(): void {}
}

const idle = { didTimeout: false, timeRemaining: () => 50 };
const nowhere = { matches: false, addEventListener() {}, removeEventListener() {} };
Object.assign(window, {
  ResizeObserver: SizeObserver,
  IntersectionObserver: SightObserver,
  matchMedia: () => nowhere,
  requestIdleCallback: (act: IdleRequestCallback) => Number(setTimeout(() => act(idle))),
  cancelIdleCallback: (id: number) => clearTimeout(id),
});
Object.assign(Element.prototype, { scrollIntoView() {}, scrollTo() {}, getAnimations: () => [] });
// ECharts draws in the size of its element, and measures texts on a canvas if there is one.
Object.defineProperties(HTMLElement.prototype, {
  clientWidth: { configurable: true, get: () => size.width },
  clientHeight: { configurable: true, get: () => size.height },
});
Object.assign(HTMLCanvasElement.prototype, { getContext: () => null });
Object.assign(Range.prototype, { getClientRects: () => [], getBoundingClientRect: () => rectangle });

// Without style sheets an element's own style is all that there is; jsdom would look for more at every query by role.
const hidden = document.createElement('p').style;
hidden.display = 'none';
window.getComputedStyle = (element) =>
  element instanceof HTMLElement && element.hidden ? hidden : (element as HTMLElement).style;

// React's development build records a stack trace for each of its first 10,000 elements a second, which is a tenth of
// the time of these tests. With this counter it has always recorded enough; its warnings still name the components.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = react as unknown as Record<
  string,
  object
>;
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  configurable: true,
  get: () => Number.POSITIVE_INFINITY,
  set() {},
});

configure({
  asyncUtilTimeout: 10_000,
  // The default message has the whole page's markup.
  getElementError: (message) => {
    const [reason] = (message ?? '').split('\n\nHere are the accessible roles');
    return new Error(`${reason}\nThe page has: ${document.body.textContent}`);
  },
});
