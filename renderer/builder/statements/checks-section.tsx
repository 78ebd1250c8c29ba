import { renameCheck } from '#experiment/yaml/rename.ts';
import { datasetName } from '#model/dataset/tables.ts';
import { statementNameProblem } from '#model/statements/statements.ts';
import { asText, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { KeyInput } from '../form/key-input.tsx';
import { NamedItems } from '../form/named-items.tsx';
import { TryLine } from './try-line.tsx';
import { VariedText } from './varied-text.tsx';

/** A query that returns no row, on the first table with a key. */
function firstText(raw: Raw): string {
  const tables = { [datasetName(raw.dataset)]: recordAt(raw, ['dataset']), ...recordAt(raw, ['tables']) };
  const [found] = Object.entries(tables).flatMap(([name, table]) => {
    const key = asText(recordAt(table, []).key);
    return key === '' ? [] : [{ name, key }];
  });
  return found ? `SELECT ${found.key} FROM {${found.name}} WHERE ${found.key} IS NULL` : 'SELECT 1 WHERE 1 = 0';
}

/** The checks after each trial. */
export const ChecksSection = ({ raw }: { readonly raw: Raw }) => (
  <NamedItems
    raw={raw}
    title="Checks"
    about="Queries without parameters that must return no rows. They run after each trial, outside the measured time."
    sections={{ checks: { text: firstText(raw) } }}
    placeholder="new-check"
    problemOf={statementNameProblem}
    rename={renameCheck}
  >
    {(section, name) => (
      <>
        <div className="statement">
          <KeyInput raw={raw} path={[section, name, 'about']} />
          <VariedText raw={raw} path={[section, name, 'text']} varied={[section, name]} name={name} what="the check" />
        </div>
        <TryLine kind="check" name={name} />
      </>
    )}
  </NamedItems>
);
