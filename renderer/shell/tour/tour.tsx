import { useEffect, useState } from 'react';
import { currentPage } from '../../state/navigation.ts';
import { runs } from '../../state/runs.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { focusOn } from '../focus-on.ts';
import { endTour, firstRun, moveTour, startResultTour, tour } from './tour-store.ts';

/** The focus would be lost with the card, so the keyboard continues on the page. */
function leave(): void {
  endTour();
  focusOn('main');
}

type Place = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>;

const gapPx = 8;
/** Room that a card needs below its place, and its width with a margin. */
const cardPx = { height: 180, width: 420 };

/** The position of a part of the page in the window; null while it is not there. */
function usePlace(selector: string | undefined): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    setPlace(null);
    if (selector === undefined) return;
    document.querySelector(selector)?.scrollIntoView({ block: 'nearest' });
    let frame = 0;
    // Panels are drawn after the page, and move with its scrolling.
    const look = () => {
      const found = document.querySelector(selector)?.getBoundingClientRect() ?? null;
      setPlace((now) => (JSON.stringify(now) === JSON.stringify(found) ? now : found));
      frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [selector]);
  return place;
}

/** The first results are explained when their run has ended and is on show. */
function useFirstResult(): void {
  const runId = useStore(firstRun);
  const here = useStore(currentPage);
  const status = useStore(runs)?.find(({ id }) => id === runId)?.status;
  const isThere = here.page === 'run' && here.runId === runId && status === 'complete';
  useEffect(() => {
    if (isThere) startResultTour();
  }, [isThere]);
}

/** The card's place: below the part of the page that the step is about, or at the bottom of the window. */
function cardStyle({ left, top, height }: Place) {
  const below = top + height + gapPx * 1.5;
  const fits = below + cardPx.height < window.innerHeight;
  return { left: Math.min(left, window.innerWidth - cardPx.width), ...(fits && { top: below, bottom: 'auto' }) };
}

/** The tour, as a card that leaves the window usable. */
export const Tour = () => {
  useFirstResult();
  const now = useStore(tour);
  const step = now?.steps[now.at];
  const place = usePlace(step?.place);
  if (!now || !step || (step.place !== undefined && !place)) return null;
  const isLast = now.at === now.steps.length - 1;
  return (
    <>
      {place && (
        <div
          className="tour-ring"
          style={{
            left: place.left - gapPx / 2,
            top: place.top - gapPx / 2,
            width: place.width + gapPx,
            height: place.height + gapPx,
          }}
        />
      )}
      <aside
        className="tour"
        aria-label={now.name}
        style={place ? cardStyle(place) : undefined}
        onKeyDown={(event) => {
          if (event.key === 'Escape') leave();
        }}
      >
        <div aria-live="polite">
          <p className="tour-count faint">
            {now.at + 1} {`of ${now.steps.length}`}
          </p>
          <h2>{step.title}</h2>
          <p>{step.text}</p>
        </div>
        <div className="tour-actions">
          {!isLast && (
            <Button kind="quiet" onPress={leave}>
              Skip
            </Button>
          )}
          <span className="grow" />
          {now.at > 0 && <Button onPress={() => moveTour(-1)}>Back</Button>}
          <Button kind="primary" autoFocus onPress={() => (isLast ? leave() : moveTour(1))}>
            {isLast ? 'Done' : 'Next'}
          </Button>
        </div>
      </aside>
    </>
  );
};
