import { useEffect } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { publishedRatio } from '#experiment/schema/published.ts';
import { sizeTitle } from '#experiment/schema/sizes.ts';
import { formatRatio, formatRows } from '#model/format/format.ts';
import { factorText } from '#planning/variant-of.ts';
import { storiesOf } from '#presentation/stories/stories.ts';
import { formatPublishedValue, sourceText } from '#presentation/text/published-text.ts';
import type { GalleryPage } from '#protocol/gallery-page.ts';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { GridTable, numbers } from '../ui/display/grid-table.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { Panel } from '../ui/display/panel.tsx';
import { ScrollingPage } from '../ui/display/scrolling-page.tsx';
import { formatWait } from '../ui/text/format-wait.ts';
import { Markdown } from '../ui/text/markdown.tsx';
import { GalleryPicture } from './gallery-picture.tsx';
import { findingTitles } from './gallery-text.ts';
import { openExperiment } from './library-actions.ts';
import { gallery, library, refreshGallery } from './library-store.ts';
import { StoryList } from './story-list.tsx';

const Sizes = ({ page, open }: { readonly page: GalleryPage; readonly open: (size: string | null) => void }) => (
  <Panel label="Sizes" title="Sizes" about="The estimates apply to the targets of the file on this machine.">
    <GridTable columns={['Size', ...numbers('Rows', 'Variants', 'Trials', 'Takes about'), 'Purpose']}>
      {page.sizes.map(({ name, note, rows, tables, variants, trials, seconds }) => (
        <tr key={name ?? ''}>
          <th scope="row">
            <AriaButton className="link" onPress={() => open(name)}>
              {sizeTitle(name)}
            </AriaButton>
          </th>
          <td className="num">{formatRows({ rows, tables }, '')}</td>
          <td className="num">{variants}</td>
          <td className="num">{trials}</td>
          <td className="num">{formatWait(seconds.most)}</td>
          <td className="wrap">{note ?? ''}</td>
        </tr>
      ))}
    </GridTable>
  </Panel>
);

const levelsText = (levels: Readonly<Record<string, unknown>> | undefined): string =>
  levels === undefined
    ? ''
    : Object.entries(levels)
        .map(([name, level]) => `${name}: ${String(level)}`)
        .join(', ');

const PublishedFigures = ({ page }: { readonly page: GalleryPage }) => (
  <Panel
    label="Published figures"
    title="Published figures"
    about="These figures come from other hardware. A run that measures the same variants shows them beside its own ratios."
  >
    {page.published.map((published) => (
      <div key={sourceText(published)}>
        <p className="panel-text">{sourceText(published)}</p>
        <GridTable columns={['What was measured', 'Here', ...numbers('Published', 'Ratio to its baseline')]}>
          {published.values.map((value) => (
            <tr key={`${value.label ?? ''} ${levelsText(value.levels)}`}>
              <th scope="row">{value.label ?? levelsText(value.levels)}</th>
              <td className="muted">{value.levels === undefined ? 'no variant' : levelsText(value.levels)}</td>
              <td className="num">{formatPublishedValue(published, value)}</td>
              <td className="num">{formatRatio(publishedRatio(published, value))}</td>
            </tr>
          ))}
        </GridTable>
      </div>
    ))}
  </Panel>
);

const Engines = ({ page }: { readonly page: GalleryPage }) => (
  <Panel
    label="Engines"
    title="Engines"
    about="The table counts the cells of the unchanged file. A variant that an engine cannot run is left out, and the reason is shown."
  >
    <GridTable columns={['Engine', 'Server', ...numbers('Variants'), 'Left out']}>
      {page.engines.map(({ id, label, target, cells, of, reasons }) => (
        <tr key={id}>
          <th scope="row">{label}</th>
          <td>{target === null ? 'your own' : <code>{target}</code>}</td>
          <td className="num">{`${cells} of ${of}`}</td>
          <td className="wrap muted">
            {reasons.map(({ reason, variants }) => (
              <p key={reason}>
                <strong>{variants.length === of ? 'all' : variants.join('; ')}</strong> {reason}
              </p>
            ))}
          </td>
        </tr>
      ))}
    </GridTable>
  </Panel>
);

/** The documentation of a gallery experiment. */
export const ExperimentPage = ({ id }: { readonly id: string }) => {
  const page = useStore(gallery)?.find((one) => one.id === id);
  const entry = useStore(library)?.find((one) => one.id === id);
  useEffect(() => {
    if (gallery.get() === null) void refreshGallery();
  }, []);
  if (!page || !entry) return null;
  const told = storiesOf(id.replace(/^gallery:/, ''));
  const expected = findingTitles(page.card?.expectedFindings ?? []);
  const open = (size: string | null) => void openExperiment(entry, { size });
  return (
    <>
      <PageHead
        title={page.name}
        mark={page.card && <span className="badge">{page.card.topic}</span>}
        subtitle={page.question}
        actions={
          <>
            <Button onPress={() => goTo({ page: 'experiments' })}>All experiments</Button>
            <Button kind="primary" onPress={() => open(null)}>
              Open
            </Button>
          </>
        }
      />
      <ScrollingPage className="stack experiment-page" label="About the experiment">
        <section className="panel experiment-about">
          <div className="panel-text">
            <Markdown text={page.about} />
            <dl className="gallery-facts">
              <dt>Targets</dt>
              <dd>{page.targets.join(', ')}</dd>
              {page.factors.map(({ name, levels }) => (
                <div key={name} className="gallery-fact">
                  <dt>{factorText(name)}</dt>
                  <dd>{levels.join(' · ')}</dd>
                </div>
              ))}
              {expected.length > 0 && (
                <>
                  <dt>Expected findings</dt>
                  <dd>{expected.join(', ')}</dd>
                </>
              )}
            </dl>
          </div>
          <GalleryPicture id={id} />
        </section>
        {told.length > 0 && <StoryList stories={told} />}
        <Sizes page={page} open={open} />
        {page.published.length > 0 && <PublishedFigures page={page} />}
        <Engines page={page} />
      </ScrollingPage>
    </>
  );
};
