import { type Passage, passagesOf } from './passages.ts';

/** The documents in the order in which a beginner reads them. */
const names = [
  'guide',
  'reading-results',
  'statistics',
  'servers',
  'load-hosts',
  'engines',
  'file-format',
  'cli',
  'glossary',
];

// The documents are bundled with the window, so that help works without a network or a separate folder.
const texts = import.meta.glob<string>(
  '../../docs/{guide,reading-results,file-format,engines,servers,load-hosts,statistics,cli,glossary}.md',
  { query: '?raw', import: 'default' },
);

let loaded: Promise<readonly Passage[]> | null = null;

/** The passages of all documents. They are parsed once. */
export function loadPassages(): Promise<readonly Passage[]> {
  loaded ??= Promise.all(names.map(async (name) => passagesOf(name, await texts[`../../docs/${name}.md`]!()))).then(
    (all) => all.flat(),
  );
  return loaded;
}
