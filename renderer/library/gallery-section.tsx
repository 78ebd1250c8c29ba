import { useEffect, useState } from 'react';
import { topics } from '#experiment/schema/gallery-card.ts';
import type { LibraryEntry } from '#protocol/ipc.ts';
import { useStore } from '../state/store.ts';
import { Select } from '../ui/controls/fields.tsx';
import { ExperimentCard } from './experiment-card.tsx';
import { runsOn } from './gallery-text.ts';
import { gallery, refreshGallery } from './library-store.ts';

const any = 'any';
const unknown = topics.length;

/** The experiments that come with Dyno, as cards. */
export const GallerySection = ({ entries }: { readonly entries: readonly LibraryEntry[] }) => {
  const pages = useStore(gallery);
  const [engine, setEngine] = useState(any);
  const [topic, setTopic] = useState(any);
  useEffect(() => void refreshGallery(), []);
  const cards = entries.map((entry) => ({ entry, page: pages?.find(({ id }) => id === entry.id) ?? null }));
  const engines = new Map((pages ?? []).flatMap((page) => page.engines.map(({ id, label }) => [id, label])));
  const place = (page: (typeof cards)[number]['page']) => (page?.card ? topics.indexOf(page.card.topic) : unknown);
  const shown = cards
    .filter(({ page }) => engine === any || (page && runsOn(page).some(({ id }) => id === engine)))
    .filter(({ page }) => topic === any || page?.card?.topic === topic)
    .toSorted((a, b) => place(a.page) - place(b.page));
  return (
    <section aria-label="Gallery">
      <div className="gallery-head">
        <h2 className="section-title">Gallery</h2>
        <Select
          label="Topic"
          value={topic}
          choices={[{ id: any, label: 'Every topic' }, ...topics.map((id) => ({ id, label: id }))]}
          onChange={setTopic}
        />
        <Select
          label="Runs on"
          value={engine}
          choices={[{ id: any, label: 'Any engine' }, ...[...engines].map(([id, label]) => ({ id, label }))]}
          onChange={setEngine}
        />
        <p className="muted" role="status">
          {shown.length === 1 ? '1 experiment' : `${shown.length} experiments`}
        </p>
      </div>
      <ul className="gallery">
        {shown.map(({ entry, page }) => (
          <ExperimentCard key={entry.id} entry={entry} page={page} />
        ))}
      </ul>
    </section>
  );
};
