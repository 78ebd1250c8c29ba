import { searchAims } from '#experiment/schema/search.ts';
import { keysOf } from '#model/keys-of.ts';
import { type Choice, Select } from '../../ui/controls/fields.tsx';
import { asText, at, isRecord, type KeyPath, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { fieldAt } from '../form/form-field.ts';
import { Helped } from '../form/helped.tsx';
import { KeyInput } from '../form/key-input.tsx';
import { settingField } from '../form/setting-fields.ts';
import { newLimit, newSearch, usualSetting } from '../mode/modes.ts';
import { editUntil } from './edit-until.ts';

const place: KeyPath = ['measure', 'search'];
const none = '';
const choices: readonly Choice[] = [
  { id: none, label: 'Fixed levels' },
  ...keysOf(searchAims).map((id) => ({ id, label: searchAims[id].label })),
];

/** The fields of the search: its aim, the setting that it raises, and the range. */
export const SearchFields = ({ raw }: { readonly raw: Raw }) => {
  const { search, repeats, until } = recordAt(raw, ['measure']);
  const { title } = fieldAt([...place, 'find']);
  const choose = (find: string) => {
    if (find === none) {
      edit(place, undefined);
      return;
    }
    const setting = find === 'knee' || !isRecord(search) ? usualSetting(find, raw) : search.setting;
    edit(place, { ...(isRecord(search) ? search : newSearch), find, setting });
    if (find === 'limit' && at(raw, ['goals']) === undefined) edit(['goals'], { p99Ms: newLimit });
    // A search requires a fixed number of repeats.
    if (isRecord(repeats)) edit(['measure', 'repeats'], undefined);
    if (isRecord(until) && until.precision !== undefined) {
      edit(['measure', 'budgetSeconds'], undefined);
      editUntil({ ...until, precision: undefined });
    }
  };
  return (
    <>
      <Helped about={title} help="measure.search.find">
        <Select
          label={title}
          help="A search chooses its own loads."
          value={isRecord(search) ? asText(search.find) : none}
          choices={choices}
          onChange={choose}
        />
      </Helped>
      {isRecord(search) &&
        ['setting', 'from', 'to', 'relativeStep'].map((key) => (
          <KeyInput
            key={key}
            raw={raw}
            path={[...place, key]}
            required={key !== 'relativeStep'}
            // The bounds of the load are the bounds of its setting.
            numbers={key === 'from' || key === 'to' ? settingField(asText(search.setting))?.numbers : undefined}
          />
        ))}
    </>
  );
};
