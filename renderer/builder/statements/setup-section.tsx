import { renameSetup, renameTeardown } from '#experiment/yaml/rename.ts';
import { identifierProblem } from '#model/dataset/column-parts.ts';
import { datasetName } from '#model/dataset/tables.ts';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { NamedItems } from '../form/named-items.tsx';
import { VariedText } from './varied-text.tsx';

/** A view on the dataset's table, for a new statement. */
const firstText = (raw: Raw) => (name: string) =>
  `CREATE VIEW {${name}} AS\nSELECT * FROM {${datasetName(raw.dataset)}}`;

const tableNames = (raw: Raw): readonly string[] => [
  datasetName(raw.dataset),
  ...Object.keys(recordAt(raw, ['tables'])),
];

/** The statements that make objects beside the tables. */
export const SetupSection = ({ raw }: { readonly raw: Raw }) => (
  <NamedItems
    raw={raw}
    title="Setup"
    about="Statements that make functions, views, triggers and statistics on the filled tables of each trial, before the clock starts. {name} stands for what the statement makes, here and in other texts. Dyno drops it with the tables."
    sections={{ setup: firstText(raw) }}
    isAlwaysShown
    placeholder="new_view"
    problemOf={(name) => (tableNames(raw).includes(name) ? 'is the name of a table' : identifierProblem(name))}
    rename={renameSetup}
  >
    {(section, name) => (
      <div className="statement">
        <VariedText raw={raw} path={[section, name]} name={name} what="the setup" />
      </div>
    )}
  </NamedItems>
);

/** The drop of the first object of `setup`, for a new statement. */
const firstTeardown = (raw: Raw): string => {
  const [object = datasetName(raw.dataset)] = Object.keys(recordAt(raw, ['setup']));
  return `DROP VIEW {${object}}`;
};

/** The statements that run after a trial. Few experiments need one, so the section follows a filled one of setup. */
export const TeardownSection = ({ raw }: { readonly raw: Raw }) =>
  Object.keys({ ...recordAt(raw, ['setup']), ...recordAt(raw, ['teardown']) }).length === 0 ? null : (
    <NamedItems
      raw={raw}
      title="Teardown"
      about="Statements that run after each trial, before Dyno drops its tables: they drop or call what the statements of setup have made, written as {name}. Dyno drops whatever is left without them."
      sections={{ teardown: firstTeardown(raw) }}
      isAlwaysShown
      placeholder="end"
      problemOf={identifierProblem}
      rename={renameTeardown}
    >
      {(section, name) => (
        <div className="statement">
          <VariedText raw={raw} path={[section, name]} name={name} what="the teardown" />
        </div>
      )}
    </NamedItems>
  );
