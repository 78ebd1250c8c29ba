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

// The documents are part of the built window, so that help needs neither a network nor a folder beside the program.
const texts = import.meta.glob<string>(
  '../../docs/{guide,reading-results,file-format,engines,servers,load-hosts,statistics,cli,glossary}.md',
  { query: '?raw', import: 'default' },
);

let loaded: Promise<readonly Passage[]> | null = null;

/** The passages of all documents, read once. */
export function loadPassages(): Promise<readonly Passage[]> {
  loaded ??= Promise.all(names.map(async (name) => passagesOf(name, await texts[`../../docs/${name}.md`]!()))).then(
    (all) => all.flat(),
  );
  return loaded;
}
