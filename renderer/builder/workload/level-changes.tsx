import { isText, placesIn } from '#experiment/schema/changes.ts';
import { changeDiff, type DiffLine } from '#experiment/yaml/change-diff.ts';
import { formatPath, type Path } from '#model/text/path-text.ts';
import { at, isRecord, type KeyPath, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { fieldAt } from '../form/form-field.ts';
import { KeyInput } from '../form/key-input.tsx';
import { isLevel } from '../form/setting-fields.ts';
import { ParametersTable } from '../statements/parameters-table.tsx';
import { TextFields } from '../statements/text-fields.tsx';
import { ColumnsTable } from '../tables/columns-table.tsx';
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

/** These sections have editors of their own. */
const edited: readonly unknown[] = ['setup', 'teardown', 'session', 'server'];

/** True for a place with a single value or a list of them that has a field of its own, apart from texts. */
const isField = (place: Path, value: unknown): boolean =>
  !edited.includes(place[0]) &&
  place[2] !== 'text' &&
  (Array.isArray(value) ? value.every(isLevel) : isLevel(value)) &&
  fieldAt(place).kind !== 'nested';

/** The tables to which the columns of a table may refer: those before it, and all of them for the dataset. */
function tablesBefore(raw: Raw, [section, name]: KeyPath): readonly string[] {
  const names = Object.keys(recordAt(raw, ['tables']));
  return section === 'dataset' ? names : names.slice(0, names.indexOf(String(name)));
}

/** "the dataset", "sales": the owner of a key in a label. */
const ownerOf = ([section, name]: Path): string => (section === 'dataset' ? 'the dataset' : String(name));

/**
 * The texts, values, columns, parameters and indexes that a level sets, for editing, and the difference to the file for
 * everything it changes.
 */
export const LevelChanges = ({ raw, path, level, change }: Props) => {
  const texts = [
    ...Object.entries(recordAt(change, ['statements'])).flatMap(([name, one]) =>
      isRecord(one) && one.text !== undefined ? [{ name, text: one.text, at: ['statements', name, 'text'] }] : [],
    ),
    ...['setup', 'teardown'].flatMap((section) =>
      Object.entries(recordAt(change, [section])).map(([name, text]) => ({ name, text, at: [section, name] })),
    ),
    ...Object.keys(recordAt(change, ['checks'])).map((name) => {
      const own = ['checks', name, 'text'];
      return { name, text: at(change, own), at: own };
    }),
  ];
  const tables = [
    ...Object.keys(recordAt(change, ['tables'])).map((name) => ({ name, at: ['tables', name] })),
    { name: 'the dataset', at: ['dataset'] },
  ];
  const withIndexes = tables.filter(({ at: own }) => Array.isArray(recordAt(change, own).indexes));
  const withColumns = tables.filter(({ at: own }) => recordAt(change, own).columns !== undefined);
  const withParameters = ['statements', 'transactions', 'scenarios'].flatMap((section) =>
    Object.entries(recordAt(change, [section])).flatMap(([name, one]) =>
      isRecord(one) && isRecord(one.parameters) ? [{ name, at: [section, name, 'parameters'] }] : [],
    ),
  );
  const places = changeDiff(raw, change);
  return (
    <div className="level-changes">
      {texts.map(({ name, text, at: own }) => (
        <div key={own.join()} data-place={formatPath(own)}>
          <TextFields
            path={[...path, ...own]}
            name={`${name} in ${level}`}
            text={
              typeof text === 'string' || !isText(own)
                ? text
                : { ...textsOf(raw, own), ...recordAt({ text }, ['text']) }
            }
          />
        </div>
      ))}
      {placesIn(change)
        .filter((place) => isField(place, at(change, place)))
        .map((place) => (
          <div key={formatPath(place)} className="form-grid" data-place={formatPath(place)}>
            <KeyInput
              raw={raw}
              path={place}
              value={at(change, place)}
              label={`${fieldAt(place).title} of ${ownerOf(place)} in ${level}`}
              onChange={(next) => next !== undefined && edit([...path, ...place], next)}
            />
          </div>
        ))}
      {withColumns.map(({ name, at: own }) => (
        <div key={name} data-place={formatPath([...own, 'columns'])}>
          <ColumnsTable
            raw={raw}
            path={[...path, ...own]}
            of={own}
            label={`Columns of ${name} in ${level}`}
            before={tablesBefore(raw, own)}
          />
        </div>
      ))}
      {withParameters.map(({ name, at: own }) => (
        <div key={formatPath(own)} data-place={formatPath(own)}>
          <ParametersTable raw={raw} path={[...path, ...own]} owner={`${name} in ${level}`} />
        </div>
      ))}
      {withIndexes.map(({ name, at }) => (
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
