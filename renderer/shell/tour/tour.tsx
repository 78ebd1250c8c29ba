import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { focusOn } from '../focus-on.ts';
import { endTour, moveTour, tour } from './tour-store.ts';

/** The card takes the focus with it: the keyboard goes on with the page. */
function leave(): void {
  endTour();
  focusOn('main');
}

/** The tour, as a card that leaves the window usable. */
export const Tour = () => {
  const now = useStore(tour);
  const step = now?.steps[now.at];
  if (!now || !step) return null;
  const isLast = now.at === now.steps.length - 1;
  return (
    <aside
      className="tour"
      aria-label="Tour"
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
            Skip the tour
          </Button>
        )}
        <span className="grow" />
        {now.at > 0 && <Button onPress={() => moveTour(-1)}>Back</Button>}
        <Button kind="primary" autoFocus onPress={() => (isLast ? leave() : moveTour(1))}>
          {isLast ? 'Done' : 'Next'}
        </Button>
      </div>
    </aside>
  );
};
