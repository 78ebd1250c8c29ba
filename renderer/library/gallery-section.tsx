import { useEffect, useState } from 'react';
import { type Topic, topics } from '#experiment/schema/gallery-card.ts';
import { many } from '#model/format/plural.ts';
import type { LibraryEntry } from '#protocol/ipc.ts';
import { useStore } from '../state/store.ts';
import { Select } from '../ui/controls/fields.tsx';
import { ExperimentCard } from './experiment-card.tsx';
import { runsOn } from './gallery-text.ts';
import { gallery, refreshGallery } from './library-store.ts';

const any = 'any';

/** The title of each group, and the question that its experiments answer. */
const groups: Readonly<Record<Topic, readonly [title: string, question: string]>> = {
  writing: ['Writing', 'How fast do rows get in, and what do keys, indexes and commits cost?'],
  reading: ['Reading', 'How fast do rows come back, one by one and in ranges?'],
  transactions: ['Transactions', 'How many units of several statements are committed each second?'],
  mixes: ['Mixes', 'What does a server do that reads and writes at the same time?'],
  load: ['Load', 'How many users and connections does a server serve, and what does the client itself cost?'],
  'own SQL': ['Own SQL', 'How fast are the statements of your own application?'],
  'engine-specific': ['Engine-specific', 'What does a feature bring that only some engines have?'],
  diagnosis: ['Diagnosis', 'Examples of findings: each experiment provokes one and shows how Dyno explains it.'],
};

/** The experiments that come with Dyno, as cards, grouped by their kind of question. */
export const GallerySection = ({ entries }: { readonly entries: readonly LibraryEntry[] }) => {
  const pages = useStore(gallery);
  const [engine, setEngine] = useState(any);
  useEffect(() => void refreshGallery(), []);
  const cards = entries.map((entry) => ({ entry, page: pages?.find(({ id }) => id === entry.id) ?? null }));
  const engines = new Map((pages ?? []).flatMap((page) => page.engines.map(({ id, label }) => [id, label])));
  const shown = cards.filter(({ page }) => engine === any || (page && runsOn(page).some(({ id }) => id === engine)));
  return (
    <section aria-label="Gallery" className="stack">
      <div className="gallery-head">
        <h2 className="section-title">Gallery</h2>
        <p className="muted" role="status">
          {many(shown.length, 'experiment')}
        </p>
        <Select
          label="Runs on"
          value={engine}
          choices={[{ id: any, label: 'Any engine' }, ...[...engines].map(([id, label]) => ({ id, label }))]}
          onChange={setEngine}
        />
      </div>
      {topics.map((topic) => {
        const own = shown.filter(({ entry }) => entry.topic === topic);
        const [title, question] = groups[topic];
        return (
          own.length > 0 && (
            <section key={topic} aria-label={title} className="gallery-group">
              <h3>
                {title} <span className="gallery-question">{question}</span>
              </h3>
              <ul className="gallery">
                {own.map(({ entry, page }) => (
                  <ExperimentCard key={entry.id} entry={entry} page={page} />
                ))}
              </ul>
            </section>
          )
        );
      })}
    </section>
  );
};
