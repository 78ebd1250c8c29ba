import { useEffect, useState } from 'react';
import { currentPage } from '../../state/navigation.ts';
import { runs } from '../../state/runs.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { focusOn } from '../focus-on.ts';
import { coachedRun, endCoach } from './coach-store.ts';

/** The explanations of the first look at results, and their places on the page. */
const marks = [
  {
    place: '[data-chart="answer"]',
    title: 'The answer',
    text: 'Which is fastest, by how much, and whether more repeats could change that.',
  },
  {
    place: '[data-chart="results"]',
    title: 'The picture',
    text: 'Each bar has a line for its 95 % interval. Press a bar to see its trials, percentiles and where its time went.',
  },
  {
    place: '[role="tab"][data-key="findings"]',
    title: 'The reasons',
    text: 'Findings say what limited each server, with the numbers that show it, and what to change.',
  },
] as const;

interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const gapPx = 8;

/** The marks take the focus with them: the keyboard goes on with what they explained. */
function leave(): void {
  endCoach();
  focusOn('main');
}

/** The position of a part of the page in the window; null while it is not there. */
function usePlace(selector: string): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    document.querySelector(selector)?.scrollIntoView({ block: 'nearest' });
    let frame = 0;
    // Panels are drawn after the page, and move with its scrolling.
    const look = () => {
      const found = document.querySelector(selector)?.getBoundingClientRect();
      setPlace((now) =>
        found === undefined
          ? null
          : now &&
              now.left === found.left &&
              now.top === found.top &&
              now.width === found.width &&
              now.height === found.height
            ? now
            : { left: found.left, top: found.top, width: found.width, height: found.height },
      );
      frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [selector]);
  return place;
}

const Mark = ({ at, onNext }: { readonly at: number; readonly onNext: () => void }) => {
  const { place: selector, title, text } = marks[at]!;
  const place = usePlace(selector);
  if (!place) return null;
  const { left, top, width, height } = place;
  const isBelow = top + height + 180 < window.innerHeight;
  return (
    <>
      <div
        className="coach-ring"
        style={{ left: left - gapPx / 2, top: top - gapPx / 2, width: width + gapPx, height: height + gapPx }}
      />
      <aside
        className="coach"
        aria-label="First result"
        style={{
          left: Math.min(left, window.innerWidth - 380),
          ...(isBelow ? { top: top + height + gapPx * 1.5 } : { bottom: gapPx * 2 }),
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') leave();
        }}
      >
        <div aria-live="polite">
          <p className="tour-count faint">
            {at + 1} {`of ${marks.length}`}
          </p>
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
        <div className="tour-actions">
          {at < marks.length - 1 && (
            <Button kind="quiet" onPress={leave}>
              Skip
            </Button>
          )}
          <span className="grow" />
          <Button kind="primary" autoFocus onPress={onNext}>
            {at < marks.length - 1 ? 'Next' : 'Done'}
          </Button>
        </div>
      </aside>
    </>
  );
};

/** Explains the first results, in three marks beside what they are about. */
export const Coach = () => {
  const runId = useStore(coachedRun);
  const here = useStore(currentPage);
  const status = useStore(runs)?.find(({ id }) => id === runId)?.status;
  const [at, setAt] = useState(0);
  if (runId === null || here.page !== 'run' || here.runId !== runId || status !== 'complete') return null;
  return <Mark key={at} at={at} onNext={() => (at === marks.length - 1 ? leave() : setAt(at + 1))} />;
};
