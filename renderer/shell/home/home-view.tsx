import { library } from '../../library/library-store.ts';
import { runs } from '../../state/runs.ts';
import { useStore } from '../../state/store.ts';
import { ScrollingPage } from '../../ui/display/scrolling-page.tsx';
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
    <ScrollingPage className="home" label="Home">
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
    </ScrollingPage>
  );
};
