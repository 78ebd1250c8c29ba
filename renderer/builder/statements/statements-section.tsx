import { useMemo } from 'react';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { weightsOf } from '#experiment/statements/statement-mix.ts';
import { renameStatement } from '#experiment/yaml/rename.ts';
import { datasetName } from '#model/dataset/tables.ts';
import { formatPercentTick } from '#model/format/format.ts';
import { statementNameProblem } from '#model/statements/statements.ts';
import { useStore } from '../../state/store.ts';
import { draft } from '../draft/draft-store.ts';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { NamedItems } from '../form/named-items.tsx';
import { StatementFields } from './statement-fields.tsx';
import { StepsFields } from './steps-fields.tsx';
import { TryLine } from './try-line.tsx';

/** The share of the calls of each statement and transaction. Empty for scenarios, whose steps decide it. */
function sharesOf({
  statements,
  transactions,
  scenarios,
}: Pick<Experiment, 'statements' | 'transactions' | 'scenarios'>): ReadonlyMap<string, string> {
  if (scenarios) return new Map();
  const weights = weightsOf({ statements, transactions });
  const sum = [...weights.values()].reduce((total, weight) => total + weight, 0);
  return new Map([...weights].map(([name, weight]) => [name, formatPercentTick(weight / sum)]));
}

/** The custom statements, transactions and scenarios. */
export const StatementsSection = ({ raw }: { readonly raw: Raw }) => {
  const [first] = Object.keys(recordAt(raw, ['statements']));
  const experiment = useStore(draft)?.checked?.plan?.experiment;
  const shares = useMemo(() => (experiment ? sharesOf(experiment) : null), [experiment]);
  const steps = first === undefined ? null : { steps: [first] };
  return (
    <NamedItems
      raw={raw}
      title="Custom statements"
      about={`Parameters have names: :name in SQL, “$name” in JSON for MongoDB and RavenDB, $name in RQL. {${datasetName(raw.dataset)}} stands for the dataset’s table, {name} for another one.`}
      sections={{ statements: { text: 'SELECT 1' }, transactions: steps, scenarios: steps }}
      lack="Transactions and scenarios run statements: add a statement first."
      noteOf={(section, name) => (section === 'scenarios' ? '' : (shares?.get(name) ?? ''))}
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
