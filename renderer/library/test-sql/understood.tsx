import { many } from '#model/format/plural.ts';
import { type NumberEntry, NumberField } from '../../ui/controls/number-field.tsx';
import type { FoundStatement, FoundTable } from './own-sql.ts';
import { NamedText, ParameterOrigins } from './statement-cells.tsx';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

const indexesText = (count: number): string => (count === 1 ? '1 index' : `${count} indexes`);

const tableText = ({ name, columns, indexes }: FoundTable): string =>
  `${name} (${many(columns, 'column')}${indexes > 0 ? `, ${indexesText(indexes)}` : ''})`;

/** The statement on one line, without the comments before it. */
const shortText = (text: string): string =>
  text
    .replace(/^(?:\s*(?:--[^\n]*\n|\/\*[\s\S]*?\*\/))+/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

interface Props {
  readonly tables: readonly FoundTable[];
  readonly statements: readonly FoundStatement[];
  /** The parts of the script that the experiment does not have. */
  readonly told: readonly string[];
  readonly weights: Readonly<Record<string, NumberEntry>>;
  readonly onWeight: (name: string, weight: NumberEntry) => void;
}

/** The tables, statements and parameters that Dyno read from the script. */
export const Understood = ({ tables, statements, told, weights, onWeight }: Props) => (
  <div className="test-sql-understood" aria-live="polite">
    <p>
      {tables.length > 0 ? (
        <>
          {'Dyno makes and fills '}
          <strong>{list.format(tables.map(tableText))}</strong>, and drops them after the run.
        </>
      ) : (
        'The statements use the tables that the servers have. Paste CREATE TABLE as well, and Dyno makes the tables.'
      )}
    </p>
    <table className="grid-table">
      <caption className="visually-hidden">Statements</caption>
      <thead>
        <tr>
          <th scope="col">Statement</th>
          <th scope="col" className="test-sql-values">
            Values of its parameters
          </th>
          <th scope="col" className="test-sql-weight">
            Weight
          </th>
        </tr>
      </thead>
      <tbody>
        {statements.map(({ name, text, parameters, weight }) => (
          <tr key={name}>
            <th scope="row">
              <NamedText name={name} text={text} short={shortText(text)} />
            </th>
            <td>
              {parameters.length === 0 ? (
                'It has no parameters.'
              ) : (
                <ParameterOrigins origins={parameters.map((one) => [one.name, one.from])} />
              )}
            </td>
            <td className="test-sql-weight">
              {weight === null ? (
                <span title="The script’s transactions and pauses decide how often the statement runs.">–</span>
              ) : (
                <NumberField
                  label={`Weight of ${name}`}
                  hideLabel
                  min={0}
                  max={1_000_000}
                  required
                  value={weights[name] ?? weight}
                  onChange={(value) => onWeight(name, value)}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {told.length > 0 && (
      <details open={told.length < 4}>
        <summary>{`Differences from the script: ${told.length}`}</summary>
        <ul className="test-sql-told">
          {told.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
    )}
  </div>
);
