import { keyDistributions } from '#model/settings/vocabulary.ts';
import { listTypes } from '#model/statements/statements.ts';
import { fileTopic } from '../../help/help-store.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/fields.tsx';
import { GridTable } from '../../ui/display/grid-table.tsx';
import { asText, isRecord, type KeyPath, type Raw } from '../draft/raw-experiment.ts';
import { AddNamed } from '../form/add-named.tsx';
import { type ColumnField, columnFields, columnTypes, newColumn } from '../form/column-fields.ts';
import { edit } from '../form/edit.ts';
import { ValueFields } from '../form/value-fields.tsx';

const sources: Readonly<Record<string, string>> = {
  key: 'key of a table',
  newKey: 'key of a new row',
  csv: 'column of a CSV file',
  query: 'result of a query',
  captured: 'result of an earlier step',
};
const typeChoices = [
  ...Object.entries(sources).map(([id, label]) => ({ id, label })),
  ...columnTypes.map((id) => ({ id, label: id })),
];

const choiceOf = (name: string, options: readonly string[]): ColumnField => ({
  name,
  kind: 'choice',
  options,
  defaultValue: '',
});
const textField = (name: string): ColumnField => ({ name, kind: 'text', options: [], defaultValue: '' });

function fieldsOf(spec: Raw): readonly ColumnField[] {
  switch (spec.type) {
    case 'key':
      return [textField('table'), choiceOf('keyDistribution', keyDistributions)];
    case 'newKey':
      return [textField('table')];
    case 'csv':
      return [textField('file'), textField('column'), choiceOf('as', listTypes), textField('nullAs'), textField('row')];
    case 'query':
      return [textField('text'), textField('column'), choiceOf('as', listTypes), textField('row')];
    case 'captured':
      return [textField('from'), textField('column'), choiceOf('as', listTypes)];
    default:
      return columnFields(spec);
  }
}

function newParameter(type: string): Raw {
  if (type === 'csv') return { type, file: 'values.csv', column: 'id' };
  if (type === 'query') return { type, text: 'SELECT 1' };
  return type === 'captured' ? { type, from: 'statement', column: 'id' } : newColumn(type, {});
}

interface Props {
  /** Path of the parameters in the file. */
  readonly path: KeyPath;
  readonly parameters: Raw;
  /** Name of the owner, for screen readers. */
  readonly owner: string;
}

/** The parameters of a statement and the sources of their values. */
export const ParametersTable = ({ path, parameters, owner }: Props) => {
  const entries = Object.entries(parameters);
  return (
    <div>
      {entries.length > 0 && (
        <GridTable
          columns={['Parameter', 'Values', 'Generator', { title: 'Remove', kind: 'hidden' }]}
          label={`Parameters of ${owner}`}
          className="columns-table"
        >
          {entries.map(([parameter, value]) => {
            const spec = isRecord(value) ? value : {};
            const own = [...path, parameter];
            return (
              <tr key={parameter}>
                <th scope="row" className="mono">
                  {parameter}
                </th>
                <td>
                  <Select
                    label={`Values of ${parameter}`}
                    hideLabel
                    value={asText(spec.type)}
                    choices={typeChoices}
                    onChange={(type) => edit(own, newParameter(type))}
                  />
                </td>
                <td>
                  <ValueFields path={own} of={parameter} fields={fieldsOf(spec)} spec={spec} />
                </td>
                <td>
                  <IconButton
                    icon="trash"
                    label={`Remove parameter ${parameter}`}
                    onPress={() => edit(own, undefined)}
                  />
                </td>
              </tr>
            );
          })}
        </GridTable>
      )}
      <AddNamed
        label={`Name of a new parameter of ${owner}`}
        placeholder="new_parameter"
        action="Add parameter"
        help={fileTopic('Parameters')}
        taken={Object.keys(parameters)}
        onAdd={(name) => edit([...path, name], newParameter('integer'))}
      />
    </div>
  );
};
