import { Button as AriaButton } from 'react-aria-components/Button';
import type { GalleryPage } from '#protocol/gallery-page.ts';
import type { LibraryEntry } from '#protocol/ipc.ts';
import { goTo } from '../state/navigation.ts';
import { useHasRuns } from '../state/runs.ts';
import { Button } from '../ui/controls/button.tsx';
import { GalleryPicture } from './gallery-picture.tsx';
import { enginesText, waitText } from './gallery-text.ts';
import { openExperiment } from './library-actions.ts';

interface Props {
  readonly entry: LibraryEntry;
  /** The plan. Null until the gallery is planned. */
  readonly page: GalleryPage | null;
}

/** The card of a gallery experiment, with picture, question, duration and engines. */
export const ExperimentCard = ({ entry, page }: Props) => {
  const hasRuns = useHasRuns(entry.name);
  return (
    <li className="panel gallery-card">
      <GalleryPicture id={entry.id} />
      <div className="gallery-card-body">
        <h4>
          <AriaButton className="link" onPress={() => void openExperiment(entry)}>
            {entry.name}
          </AriaButton>
        </h4>
        <p>{entry.problem ?? entry.question}</p>
      </div>
      <div className="gallery-card-foot">
        <span className="faint">
          {page && (
            <>
              {waitText(page)} · {enginesText(page)}
              {page.sizes.length > 1 && ` · ${page.sizes.length} sizes`}
            </>
          )}
        </span>
        {hasRuns && (
          <Button
            kind="quiet"
            aria-label={`History of ${entry.name}`}
            onPress={() => goTo({ page: 'history', experiment: entry.name })}
          >
            History
          </Button>
        )}
        <Button
          kind="quiet"
          aria-label={`About ${entry.name}`}
          isDisabled={page === null}
          onPress={() => goTo({ page: 'experiment', id: entry.id })}
        >
          About
        </Button>
      </div>
    </li>
  );
};
