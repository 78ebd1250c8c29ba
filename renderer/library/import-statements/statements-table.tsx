import { shortText } from '#experiment/import-statements/imported-experiment.ts';
import type { JudgedStatement } from '#experiment/import-statements/judged-statements.ts';
import { formatCount, formatMs, formatPercent, formatShort } from '#model/format/format.ts';
import { Checkbox } from '../../ui/controls/fields.tsx';
import { GridHead, numbers } from '../../ui/display/grid-table.tsx';
import { NamedText, ParameterOrigins } from '../test-sql/statement-cells.tsx';

interface Props {
  readonly statements: readonly JudgedStatement[];
  /** The names of the chosen statements. */
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (name: string, on: boolean) => void;
}

const columns = ['Statement', 'Values of its parameters', ...numbers('Time', 'Calls', 'Mean', 'Rows')];

const Named = ({ name, written }: Pick<JudgedStatement, 'name' | 'written'>) => (
  <span className="test-sql-server">
    <NamedText name={name} text={written} short={shortText(written)} />
  </span>
);

/** The counted statements with their ticks; a statement that no experiment can run has none, and says why. */
export const StatementsTable = ({ statements, ticked, onTick }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by the keyboard
  <section className="import-statements-list import-statements-origins" aria-label="Counted statements" tabIndex={0}>
    <table className="grid-table">
      <GridHead columns={columns} />
      <tbody>
        {statements.map((one) => (
          <tr key={one.name}>
            <th scope="row">
              {one.whyNot === null ? (
                <Checkbox
                  name={one.name}
                  checked={ticked.has(one.name)}
                  onChange={(on) => onTick(one.name, on)}
                  label={<Named {...one} />}
                />
              ) : (
                <div className="import-statements-none">
                  <Named {...one} />
                </div>
              )}
              {(one.whyNot ?? one.writes) && <p className="import-statements-why">{one.whyNot ?? one.writes}</p>}
            </th>
            <td>
              <ParameterOrigins origins={Object.entries(one.origins)} />
              {one.notes.map((note) => (
                <div key={note} className="faint">
                  {note}
                </div>
              ))}
            </td>
            <td className="num">{formatPercent(one.share)}</td>
            <td className="num">{formatCount(one.calls)}</td>
            <td className="num">{formatMs(one.meanMs)}</td>
            <td className="num">{formatShort(one.rowsPerCall)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
