import { useEffect } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { GalleryPicture } from '../../library/gallery-picture.tsx';
import { openExperiment } from '../../library/library-actions.ts';
import { starterEntry } from '../../library/library-store.ts';
import { appInfo } from '../../state/app-info.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { startTour } from '../tour/tour-store.ts';
import { checkStarter, runStarter, starterCheck, startingStarter } from './starter.ts';
import { starterText } from './starter-text.ts';
import { Ways } from './ways.tsx';

/** The first start: one button, with a description of its effect and duration, and other ways to begin. */
export const FirstStart = () => {
  const info = useStore(appInfo);
  const checked = useStore(starterCheck);
  const isStarting = useStore(startingStarter);
  useEffect(() => void checkStarter(), []);
  const { lacks, happens, takes } = starterText(checked, info?.engines ?? [], info?.missing ?? {});
  const open = () => {
    const entry = starterEntry();
    if (entry) void openExperiment(entry);
  };
  return (
    <>
      <h1 className="home-title">
        Compare databases in a minute.
        <br />
        {lacks ? 'On your own machine.' : 'Nothing to install.'}
      </h1>
      <p className="home-lead">{happens}</p>
      <div className="home-start">
        <AriaButton className="home-run" data-waiting={isStarting || undefined} onPress={() => void runStarter()}>
          <Icon name="play" />
          Run the insert comparison
          {takes !== null && <span className="home-takes">{takes}</span>}
        </AriaButton>
        <Button kind="quiet" onPress={open}>
          Open it in the builder
        </Button>
        <Button kind="quiet" onPress={startTour}>
          Take the tour
        </Button>
      </div>
      <Ways />
      <figure className="home-sample">
        <figcaption>
          <strong className="home-sample-mark">Sample</strong>
          Nothing was measured on this machine yet. This picture shows what a result looks like; its figures are those
          of another machine.
        </figcaption>
        <GalleryPicture
          id="insert-duel-result"
          alt="Sample from another machine: rows per second of each insert method on PostgreSQL and SQLite"
        />
      </figure>
    </>
  );
};
