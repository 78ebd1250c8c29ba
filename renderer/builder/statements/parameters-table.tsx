import { fileTopic } from '../../help/help-store.ts';
import { Select } from '../../ui/controls/fields.tsx';
import { asText, type KeyPath, type Raw } from '../draft/raw-experiment.ts';
import { newColumn, parameterTypes, valueFields } from '../form/column-fields.ts';
import { edit } from '../form/edit.ts';
import { EntriesTable } from '../form/entries-table.tsx';
import { ValueFields } from '../form/value-fields.tsx';
import { entryVariant } from '../variants/add-variant.tsx';

interface Props {
  readonly raw: Raw;
  /** The path of the parameters in the file. */
  readonly path: KeyPath;
  /** The name of the owner, for screen readers. */
  readonly owner: string;
}

/** The parameters of a statement and the sources of their values. */
export const ParametersTable = ({ raw, path, owner }: Props) => (
  <EntriesTable
    raw={raw}
    path={path}
    what="parameter"
    label={`Parameters of ${owner}`}
    columns={[
      {
        title: 'Values',
        cell: ({ name, path: own, spec }) => (
          <Select
            label={`Values of ${name}`}
            hideLabel
            value={asText(spec.type)}
            choices={parameterTypes}
            onChange={(type) => edit(own, newColumn(type))}
          />
        ),
      },
      {
        title: 'Generator',
        cell: ({ name, path: own, spec }) => (
          <ValueFields path={own} of={name} fields={valueFields(spec)} spec={spec} />
        ),
      },
    ]}
    actions={entryVariant(raw, path, (name) => `parameter ${name} of ${owner}`)}
    keepsOne={path[0] === 'factors'}
    help={fileTopic('Parameters')}
    naming={{ label: `Name of a new parameter of ${owner}`, placeholder: 'new_parameter' }}
    newEntry={() => newColumn('integer')}
  />
);
