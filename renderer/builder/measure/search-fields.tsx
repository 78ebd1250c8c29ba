import { type Search, searchedSettings } from '#experiment/schema/search.ts';
import type { NumberRules } from '#model/text/read-number.ts';
import { type Choice, Select } from '../../ui/controls/fields.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { asEntry, asText, isRecord, type KeyPath, type Raw, recordAt, scaled } from '../draft/raw-experiment.ts';
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
  // Users and connections are whole; arrivals per second are a rate.
  const load: NumberRules =
    isRecord(search) && search.setting === 'arrivalsPerSecond' ? { unit: '1/s', min: 0 } : { whole: true, min: 1 };
  const number = (key: keyof Search, label: string, rules: NumberRules, help?: string) => (
    <Helped about={label} help={`measure.search.${key}`}>
      <NumberField
        label={label}
        help={help}
        {...rules}
        required
        value={asEntry(recordAt(raw, place)[key])}
        onChange={(value) => edit([...place, key], value)}
      />
    </Helped>
  );
  return (
    <>
      <Helped about="Search for" help="measure.search.find">
        <Select
          label="Search for"
          help="A search chooses its loads by itself."
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
          {number('from', 'Search from', load)}
          {number('to', 'Search to', load)}
          {search.find === 'limit' &&
            number('p99Ms', 'Limit of p99, ms', { unit: 'ms', min: 0 }, 'The p99 latency that a load must not exceed.')}
          <Helped about="Search in steps of, %" help="measure.search.relativeStep">
            <NumberField
              label="Search in steps of, %"
              help="Smaller gains count as no gain."
              value={scaled(asEntry(search.relativeStep), 100)}
              placeholder="5"
              unit="%"
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
