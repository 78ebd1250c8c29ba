import { changeDiff, type DiffLine } from '#experiment/yaml/change-diff.ts';
import { formatPath } from '#model/text/path-text.ts';
import { at, isRecord, type KeyPath, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { TextFields } from '../statements/text-fields.tsx';
import { IndexesTable } from '../tables/indexes-table.tsx';

const signs: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', old: '−', new: '+' };
const words: Readonly<Record<DiffLine['kind'], string>> = { same: '', old: 'removed: ', new: 'added: ' };

interface Props {
  readonly raw: Raw;
  /** The path of the level in the file. */
  readonly path: KeyPath;
  readonly level: string;
  /** The sections of the file that the level changes. */
  readonly change: Raw;
}

/** The texts and indexes that a level sets, for editing, and the difference to the file for everything it changes. */
export const LevelChanges = ({ raw, path, level, change }: Props) => {
  const texts = [
    ...Object.entries(recordAt(change, ['statements'])).flatMap(([name, one]) =>
      isRecord(one) && one.text !== undefined ? [{ name, text: one.text, at: ['statements', name, 'text'] }] : [],
    ),
    ...Object.entries(recordAt(change, ['setup'])).map(([name, text]) => ({ name, text, at: ['setup', name] })),
  ];
  const tables = [
    ...Object.keys(recordAt(change, ['tables'])).map((name) => ({ name, at: ['tables', name] })),
    { name: 'the dataset', at: ['dataset'] },
  ].filter(({ at }) => Array.isArray(recordAt(change, at).indexes));
  const places = changeDiff(raw, change);
  return (
    <div className="level-changes">
      {texts.map(({ name, text, at: own }) => (
        <div key={own.join()} data-place={formatPath(own)}>
          <TextFields
            path={[...path, ...own]}
            name={`${name} in ${level}`}
            text={typeof text === 'string' ? text : { ...textsOf(raw, own), ...recordAt({ text }, ['text']) }}
          />
        </div>
      ))}
      {tables.map(({ name, at }) => (
        <div key={name} data-place={formatPath([...at, 'indexes'])}>
          <IndexesTable raw={raw} path={[...path, ...at]} of={at} label={`Indexes of ${name} in ${level}`} />
        </div>
      ))}
      {places.length === 0 ? (
        <p className="muted">This level leaves the file as it is.</p>
      ) : (
        <figure className="level-diff" aria-label={`Difference of ${level} to the file`}>
          {places.map(({ place, lines }) => (
            <div key={place}>
              <figcaption className="faint">{place}</figcaption>
              {lines.map(({ kind, text }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
                <code key={index} className={`diff-${kind}`}>
                  <span aria-hidden>{signs[kind]}</span>
                  {words[kind] !== '' && <span className="visually-hidden">{words[kind]}</span>}
                  {` ${text}`}
                </code>
              ))}
            </div>
          ))}
        </figure>
      )}
    </div>
  );
};

/** The texts at a path of the file by engine. */
const textsOf = (raw: Raw, path: KeyPath): Raw => {
  const text = at(raw, path);
  return typeof text === 'string' ? { default: text } : recordAt({ text }, ['text']);
};
