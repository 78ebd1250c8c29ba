import { useEffect } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { GalleryPicture } from '../../library/gallery-picture.tsx';
import { openExperiment } from '../../library/library-actions.ts';
import { starterEntry } from '../../library/library-store.ts';
import { appInfo } from '../../state/app-info.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { texts } from '../text.ts';
import { startTour } from '../tour/tour-store.ts';
import { checkStarter, runStarter, starterCheck, startingStarter } from './starter.ts';
import { starterText } from './starter-text.ts';
import { Ways } from './ways.tsx';

/** One screen with one button: what a press does, how long it takes, and what else there is. */
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
        {texts.firstStart.compareDatabasesInAMinute}
        <br />
        {lacks ? texts.firstStart.onYourOwnMachine : texts.firstStart.nothingToInstall}
      </h1>
      <p className="home-lead">{happens}</p>
      <div className="home-start">
        <AriaButton className="home-run" isDisabled={isStarting} onPress={() => void runStarter()}>
          <Icon name="play" />
          {texts.firstStart.runTheInsertComparison}
          {takes !== null && <span className="home-takes">{takes}</span>}
        </AriaButton>
        <Button kind="quiet" onPress={open}>
          {texts.firstStart.lookAtItFirst}
        </Button>
        <Button kind="quiet" onPress={startTour}>
          {texts.firstStart.takeTheTour}
        </Button>
      </div>
      <Ways />
      <figure className="home-picture panel">
        <GalleryPicture id="insert-duel-result" alt={texts.firstStart.rowsASecondOfEach} />
        <figcaption className="faint">{texts.firstStart.thePictureOfARecorded}</figcaption>
      </figure>
    </>
  );
};
