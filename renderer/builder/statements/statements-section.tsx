import { renameStatement } from '#experiment/yaml/rename.ts';
import { statementNameProblem } from '#model/statements/statements.ts';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { NamedItems } from '../form/named-items.tsx';
import { StatementFields } from './statement-fields.tsx';
import { StepsFields } from './steps-fields.tsx';
import { TryLine } from './try-line.tsx';

/** The custom statements, transactions and scenarios. */
export const StatementsSection = ({ raw }: { readonly raw: Raw }) => {
  const [first] = Object.keys(recordAt(raw, ['statements']));
  const steps = first === undefined ? null : { steps: [first] };
  return (
    <NamedItems
      raw={raw}
      title="Custom statements"
      about="Named parameters (:name in SQL, “$name” in JSON for MongoDB and RavenDB, $name in RQL); {table} is the dataset’s table, {name} is another table."
      sections={{ statements: { text: 'SELECT 1' }, transactions: steps, scenarios: steps }}
      placeholder="new-statement"
      problemOf={statementNameProblem}
      rename={renameStatement}
    >
      {(section, name) => (
        <>
          <div className="statement">
            {section === 'transactions' || section === 'scenarios' ? (
              <StepsFields raw={raw} kind={section} name={name} />
            ) : (
              <StatementFields raw={raw} name={name} />
            )}
          </div>
          {section !== 'scenarios' && <TryLine kind="statement" name={name} />}
        </>
      )}
    </NamedItems>
  );
};
