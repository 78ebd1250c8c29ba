import { Button as AriaButton } from 'react-aria-components/Button';
import type { GalleryPage } from '#protocol/gallery-page.ts';
import type { LibraryEntry } from '#protocol/ipc.ts';
import { goTo } from '../state/navigation.ts';
import { Button } from '../ui/controls/button.tsx';
import { GalleryPicture } from './gallery-picture.tsx';
import { findingTitles, reasonAgainst, runsOn, waitText } from './gallery-text.ts';
import { openExperiment } from './library-actions.ts';

interface Props {
  readonly entry: LibraryEntry;
  /** Null until the gallery is planned. */
  readonly page: GalleryPage | null;
}

const Facts = ({ page }: { readonly page: GalleryPage }) => {
  const engines = runsOn(page);
  const others = page.engines.filter(({ cells }) => cells === 0);
  const expected = findingTitles(page.card?.expectedFindings ?? []);
  return (
    <dl className="gallery-facts">
      <dt>Takes</dt>
      <dd>{waitText(page)}</dd>
      <dt>Runs on</dt>
      <dd>
        {others.length === 0 ? 'every engine' : engines.map(({ label }) => label).join(', ')}
        {others.length > 0 && (
          <details>
            <summary>Why not on {others.length === 1 ? others[0]?.label : `${others.length} others`}</summary>
            <ul>
              {others.map((other) => (
                <li key={other.id}>{reasonAgainst(other)}</li>
              ))}
            </ul>
          </details>
        )}
      </dd>
      {expected.length > 0 && (
        <>
          <dt>Expected</dt>
          <dd>{expected.join(', ')}</dd>
        </>
      )}
    </dl>
  );
};

/** A card of a gallery experiment: its question, what to look at, its engines and its duration. */
export const ExperimentCard = ({ entry, page }: Props) => (
  <li className="panel gallery-card">
    <GalleryPicture id={entry.id} />
    <div className="gallery-card-body">
      <h3>
        <AriaButton className="link" onPress={() => void openExperiment(entry)}>
          {entry.name}
        </AriaButton>
      </h3>
      <p>{entry.problem ?? entry.question}</p>
      {page?.card && (
        <p className="muted">
          <strong>Look at</strong> {page.card.highlights}
        </p>
      )}
      {page && <Facts page={page} />}
    </div>
    {page && (
      <div className="gallery-card-foot">
        <Button aria-label={`About ${entry.name}`} onPress={() => goTo({ page: 'experiment', id: entry.id })}>
          About
        </Button>
        {page.published.length > 0 && <span className="badge">published figures</span>}
        {page.sizes.length > 1 && <span className="badge">{page.sizes.length} sizes</span>}
      </div>
    )}
  </li>
);
