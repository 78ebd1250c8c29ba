import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { stories } from '#presentation/stories/stories.ts';
import type { LibraryEntry } from '#protocol/ipc.ts';
import { goTo } from '../state/navigation.ts';
import { useHasRuns } from '../state/runs.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { SearchField } from '../ui/controls/fields.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { ActionMenu } from '../ui/overlays/menu.tsx';
import { compareChange } from './compare-change/change-file.ts';
import { GallerySection } from './gallery-section.tsx';
import { importFromServer } from './import-statements/import-statements-dialog.tsx';
import {
  deleteExperiment,
  duplicateExperiment,
  exportExperiment,
  importExperiment,
  newExperiment,
  openExperiment,
} from './library-actions.ts';
import { gallery as galleryPages, library } from './library-store.ts';
import { isFound } from './search-text.ts';
import { StoryList } from './story-list.tsx';

const Row = ({ entry }: { readonly entry: LibraryEntry }) => {
  const hasRuns = useHasRuns(entry.name);
  return (
    <li className="library-row">
      <div className="grow">
        <AriaButton className="link" onPress={() => void openExperiment(entry)}>
          {entry.name}
        </AriaButton>
        <p className="muted">{entry.problem ?? entry.question}</p>
      </div>
      <span className="library-targets muted">{entry.targets.join(', ')}</span>
      <time className="library-date faint" dateTime={entry.modifiedAt}>
        {new Date(entry.modifiedAt).toLocaleDateString()}
      </time>
      <ActionMenu
        label={`Actions for ${entry.name}`}
        actions={[
          { id: 'open', label: 'Open', run: () => void openExperiment(entry) },
          {
            id: 'history',
            label: 'History of its runs',
            disabled: !hasRuns,
            run: () => goTo({ page: 'history', experiment: entry.name }),
          },
          { id: 'duplicate', label: 'Duplicate', run: () => void duplicateExperiment(entry) },
          { id: 'export', label: 'Export…', run: () => void exportExperiment(entry) },
          { id: 'delete', label: 'Delete', run: () => void deleteExperiment(entry) },
        ]}
      />
    </li>
  );
};

const Mine = ({ entries }: { readonly entries: readonly LibraryEntry[] }) => (
  <section aria-label="My experiments">
    <h2 className="section-title">My experiments</h2>
    {entries.length === 0 ? (
      <p className="panel library-empty">
        Experiments that you save appear here. Open an experiment of the gallery and change it, or start a new one.
      </p>
    ) : (
      <ul className="panel">
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </ul>
    )}
  </section>
);

export const LibraryView = () => {
  const entries = useStore(library);
  const [search, setSearch] = useState('');
  const pages = useStore(galleryPages);
  const pageOf = ({ id }: LibraryEntry) => pages?.find((page) => page.id === id) ?? null;
  const shown = (entries ?? []).filter((entry) => isFound(entry, pageOf(entry), search));
  const [mine, gallery] = [
    shown.filter(({ origin }) => origin === 'mine'),
    shown.filter(({ origin }) => origin === 'gallery'),
  ];
  return (
    <>
      <PageHead
        title="Experiments"
        subtitle="An experiment asks one question of several engines. Open an experiment, change it, and run it."
        actions={
          <>
            <SearchField label="Search experiments" value={search} onChange={setSearch} />
            <Button icon="upload" onPress={() => void importExperiment()}>
              Import
            </Button>
            <Button onPress={importFromServer}>New from a server</Button>
            <Button onPress={compareChange}>Compare a change</Button>
            <Button icon="plus" kind="primary" onPress={newExperiment}>
              New
            </Button>
          </>
        }
      />
      <div className="page-body stack">
        {entries !== null && search !== '' && shown.length === 0 && (
          <EmptyState title="No experiment matches">
            <p>The search looks for all typed words in all texts of the experiments.</p>
          </EmptyState>
        )}
        {entries !== null && (mine.length > 0 || search === '') && <Mine entries={mine} />}
        {entries !== null && search === '' && <StoryList stories={stories} />}
        {gallery.length > 0 && <GallerySection entries={gallery} />}
      </div>
    </>
  );
};
