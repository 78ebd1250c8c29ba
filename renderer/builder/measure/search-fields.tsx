import { type Search, searchedSettings } from '#experiment/schema/search.ts';
import { type Choice, NumberField, Select } from '../../ui/controls/fields.tsx';
import { asNumber, asText, isRecord, type KeyPath, type Raw, recordAt, scaled } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Helped } from '../form/helped.tsx';
import { settingField } from '../form/setting-fields.ts';
import { newSearch, searchLabels, usualSetting } from '../mode/modes.ts';
import { editUntil } from './edit-until.ts';

const place: KeyPath = ['measure', 'search'];
const none = '';
const choices: readonly Choice[] = [
  { id: none, label: 'Fixed levels' },
  ...Object.entries(searchLabels).map(([id, label]) => ({ id, label })),
];
const settingChoices: readonly Choice[] = searchedSettings.map((id) => ({ id, label: settingField(id)?.title ?? id }));

/** Fields of the search: what the run searches for, the setting that it raises, and its range. */
export const SearchFields = ({ raw }: { readonly raw: Raw }) => {
  const { search, repeats, until } = recordAt(raw, ['measure']);
  const choose = (find: string) => {
    if (find === none) {
      edit(place, undefined);
      return;
    }
    const setting = find === 'knee' || !isRecord(search) ? usualSetting(find, raw) : search.setting;
    const before: Raw = isRecord(search) ? search : { from: newSearch.from, to: newSearch.to };
    const { p99Ms = newSearch.p99Ms, ...kept } = before;
    edit(place, { ...kept, find, setting, ...(find === 'limit' && { p99Ms }) });
    // A search needs a fixed number of repeats.
    if (isRecord(repeats)) edit(['measure', 'repeats'], undefined);
    if (isRecord(until) && until.precision !== undefined) {
      edit(['measure', 'budgetSeconds'], undefined);
      editUntil({ ...until, precision: undefined });
    }
  };
  const number = (key: keyof Search, label: string, help?: string) => (
    <Helped about={label} help={`measure.search.${key}`}>
      <NumberField
        label={label}
        help={help}
        value={asNumber(recordAt(raw, place)[key])}
        min={0}
        onChange={(value) => edit([...place, key], value ?? undefined)}
      />
    </Helped>
  );
  return (
    <>
      <Helped about="Search for" help="measure.search.find">
        <Select
          label="Search for"
          help="The run then chooses its loads by itself."
          value={isRecord(search) ? asText(search.find) : none}
          choices={choices}
          onChange={choose}
        />
      </Helped>
      {isRecord(search) && (
        <>
          <Helped about="Load to raise" help="measure.search.setting">
            <Select
              label="Load to raise"
              value={asText(search.setting)}
              choices={settingChoices}
              onChange={(setting) => edit([...place, 'setting'], setting)}
            />
          </Helped>
          {number('from', 'Search from')}
          {number('to', 'Search to')}
          {search.find === 'limit' && number('p99Ms', 'Limit of p99, ms', 'Of the latency that trials are judged by.')}
          <Helped about="Search in steps of, %" help="measure.search.relativeStep">
            <NumberField
              label="Search in steps of, %"
              help="Throughput that rises by less does not rise."
              value={scaled(asNumber(search.relativeStep), 100)}
              placeholder="5"
              min={1}
              max={50}
              onChange={(value) => edit([...place, 'relativeStep'], scaled(value, 0.01) ?? undefined)}
            />
          </Helped>
        </>
      )}
    </>
  );
};
