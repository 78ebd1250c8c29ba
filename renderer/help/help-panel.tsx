import { useEffect, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useStore } from '../state/store.ts';
import { Button, IconButton } from '../ui/controls/button.tsx';
import { SearchField } from '../ui/controls/fields.tsx';
import { SidePanel } from '../ui/overlays/side-panel.tsx';
import { Markdown } from '../ui/text/markdown.tsx';
import { loadPassages } from './documents.ts';
import { closeHelp, openHelp, shownHelp } from './help-store.ts';
import { explains, type Passage, passageAbout, search, snippet, type Topic } from './passages.ts';

const mostFound = 40;

const topicOf = ({ document, slug }: Passage): Topic => ({ document, term: slug });

interface ListProps {
  readonly passages: readonly Passage[];
  readonly lineOf: (passage: Passage) => string;
}

const PassageList = ({ passages, lineOf }: ListProps) => (
  <ul className="help-list">
    {passages.map((passage) => (
      <li key={`${passage.document} ${passage.slug}`}>
        <AriaButton className="link" onPress={() => openHelp(topicOf(passage))}>
          {passage.title}
        </AriaButton>
        <span className="faint">{lineOf(passage)}</span>
      </li>
    ))}
  </ul>
);

const Contents = ({ all }: { readonly all: readonly Passage[] }) =>
  [...Map.groupBy(all, ({ document }) => document)].map(([document, [first, ...rest]]) => (
    <details key={document}>
      <summary>{first!.about}</summary>
      <PassageList passages={[first!, ...rest]} lineOf={() => ''} />
    </details>
  ));

/** A passage. The table row that explains the term is marked and scrolled into view. */
const PassageView = ({ passage, term }: { readonly passage: Passage; readonly term: string }) => {
  const host = useRef<HTMLElement>(null);
  useEffect(() => {
    host.current?.scrollIntoView({ block: 'start' });
    const rows = [...(host.current?.querySelectorAll('tbody tr') ?? [])];
    const cells = (row: Element) => [...row.children].map((cell) => cell.textContent ?? '');
    const row = rows.find((one) => explains(cells(one), term));
    row?.classList.add('help-marked');
    row?.scrollIntoView({ block: 'center' });
    return () => row?.classList.remove('help-marked');
  }, [term]);
  const follow = (href: string) => {
    const [file = '', slug = ''] = href.split('#');
    const document = file === '' ? passage.document : file.replace(/\.md$/, '');
    openHelp({ document, term: slug === '' ? document : slug });
  };
  return (
    <article ref={host}>
      <p className="faint">{passage.about}</p>
      {passage.title !== passage.about && <h3>{passage.title}</h3>}
      <Markdown text={passage.text} onLink={follow} />
    </article>
  );
};

/** The documentation beside the page: the passage of the topic, a search, and the contents. */
export const HelpPanel = () => {
  const topic = useStore(shownHelp);
  const [all, setAll] = useState<readonly Passage[] | null>(null);
  const [words, setWords] = useState('');
  const isOpen = topic !== null;
  useEffect(() => {
    if (isOpen) void loadPassages().then(setAll);
  }, [isOpen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new topic ends the search
  useEffect(() => setWords(''), [topic]);
  if (topic === null) return null;
  const passage =
    topic === 'contents' || all === null
      ? null
      : (passageAbout(all, topic) ?? all.find(({ document }) => document === topic.document) ?? null);
  const found = all === null ? [] : search(all, words);
  return (
    <SidePanel
      label="Help"
      bodyLabel="Passage"
      subject={topic}
      onClose={closeHelp}
      head={
        <>
          <SearchField label="Search the documentation" value={words} onChange={setWords} />
          {topic !== 'contents' && (
            <Button kind="quiet" onPress={() => openHelp('contents')}>
              Contents
            </Button>
          )}
          <IconButton icon="close" label="Close the help" onPress={closeHelp} />
        </>
      }
    >
      <div className="help-body">
        {words.trim() !== '' ? (
          <>
            <p className="faint" role="status">
              {found.length === 0 ? 'Nothing matches.' : `${Math.min(found.length, mostFound)} passages`}
            </p>
            <PassageList
              passages={found.slice(0, mostFound)}
              lineOf={(one) => `${one.about} · ${snippet(one, words)}`}
            />
          </>
        ) : passage !== null && topic !== 'contents' ? (
          <PassageView key={`${passage.document} ${passage.slug} ${topic.term}`} passage={passage} term={topic.term} />
        ) : (
          all && <Contents all={all} />
        )}
      </div>
    </SidePanel>
  );
};
