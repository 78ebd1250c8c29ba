import type { RunModel } from '#analysis/run-model/run-model.ts';
import { Swatch } from '../charts/swatch.tsx';
import { Checkbox, Select } from '../ui/controls/fields.tsx';
import type { Filter } from './results-filter.ts';

interface Props {
  readonly model: RunModel;
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

const allVariants = '';

export const FilterBar = ({ model, filter, onChange }: Props) => (
  <fieldset className="filter-bar" aria-label="Filter">
    {model.plan.targets.map(({ name, index }) => (
      <Checkbox
        key={name}
        checked={!filter.hiddenTargets.has(name)}
        label={
          <span className="legend">
            <Swatch index={index} /> {name}
          </span>
        }
        onChange={(on) => {
          const hidden = new Set(filter.hiddenTargets);
          if (on) hidden.delete(name);
          else hidden.add(name);
          if (hidden.size < model.plan.targets.length) onChange({ ...filter, hiddenTargets: hidden });
        }}
      />
    ))}
    {model.plan.variants.length > 1 && (
      <Select
        label="Variant"
        hideLabel
        value={filter.variant ?? allVariants}
        choices={[
          { id: allVariants, label: 'All variants' },
          ...model.plan.variants.map(({ id, label }) => ({ id, label })),
        ]}
        onChange={(id) => onChange({ ...filter, variant: id === allVariants ? null : id })}
      />
    )}
  </fieldset>
);
