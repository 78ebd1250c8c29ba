import { library } from '../../library/library-store.ts';
import { runs } from '../../state/runs.ts';
import { useStore } from '../../state/store.ts';
import { FirstStart } from './first-start.tsx';
import { LastRun } from './last-run.tsx';
import { Recent } from './recent.tsx';
import { Ways } from './ways.tsx';

/** The first page of Dyno: the first start before the first run, and the recent work afterwards. */
export const HomeView = () => {
  const entries = useStore(runs);
  const experiments = useStore(library);
  if (entries === null || experiments === null) return null;
  const [last] = entries;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="page-body home" aria-label="Home" tabIndex={0}>
      <div className="home-content">
        {last ? (
          <>
            <LastRun run={last} />
            <Recent entries={entries} />
            <Ways />
          </>
        ) : (
          <FirstStart />
        )}
      </div>
    </section>
  );
};
