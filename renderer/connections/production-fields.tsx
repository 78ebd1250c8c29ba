import { useState } from 'react';
import { hues } from '#model/hues.ts';
import { productionLimits } from '#model/production.ts';
import { Swatch } from '../charts/swatch.tsx';
import { Checkbox, TextField } from '../ui/controls/fields.tsx';
import { type NumberEntry, NumberField } from '../ui/controls/number-field.tsx';
import type { ConnectionFormState, ProductionForm } from './connection-form-model.ts';

type Fields = Pick<ConnectionFormState, 'group' | 'hue' | 'production'>;

interface Props {
  readonly value: Fields;
  /** The groups of other connections. */
  readonly groups: readonly string[];
  readonly onChange: (change: Partial<Fields>) => void;
}

/** A limit of the production mark. Null applies the default. */
const withLimit = (
  production: ProductionForm,
  name: 'maxConnections' | 'maxPerSecond',
  value: NumberEntry,
): ProductionForm => {
  const { [name]: _, ...rest } = production;
  return value === null ? rest : { ...rest, [name]: value };
};

const everyHue = Array.from({ length: hues }, (_, hue) => hue);

const Hues = ({ hue, onChange }: { readonly hue: number | null; readonly onChange: (hue: number) => void }) => (
  <fieldset className="hues">
    <legend>Colour in charts</legend>
    {everyHue.map((one) => (
      <label key={one} className="hue">
        <input type="radio" name="hue" checked={hue === one} onChange={() => onChange(one)} />
        <span className="visually-hidden">
          {'Colour'} {one + 1}
        </span>
        <Swatch index={one} />
      </label>
    ))}
  </fieldset>
);

/** The protection of a production connection. */
const Protection = ({
  production,
  onChange,
}: {
  production: ProductionForm;
  onChange: (to: ProductionForm) => void;
}) => {
  const { allowWrites, ...limits } = production;
  return (
    <div className="form-grid">
      <NumberField
        label="Maximum connections"
        help="A variant with more connections is left out of the plan, with the reason."
        placeholder={String(productionLimits.maxConnections)}
        whole
        min={1}
        value={production.maxConnections ?? null}
        onChange={(value) => onChange(withLimit(production, 'maxConnections', value))}
      />
      <NumberField
        label="Maximum statements per second"
        help="Only an open load, or a load with think times, can be limited. Any other load is left out."
        placeholder={String(productionLimits.maxPerSecond)}
        unit="1/s"
        min={0.001}
        value={production.maxPerSecond ?? null}
        onChange={(value) => onChange(withLimit(production, 'maxPerSecond', value))}
      />
      <div className="span-all">
        <Checkbox
          label="Allow writes: statements that change rows, and tables of Dyno’s"
          checked={allowWrites === true}
          onChange={(on) => onChange(on ? { ...limits, allowWrites: true } : limits)}
        />
      </div>
    </div>
  );
};

/** The group and colour of a connection in lists, and its mark as production. */
export const ProductionFields = ({ value: { group, hue, production }, groups, onChange }: Props) => {
  const [isOpen, setOpen] = useState(production !== null || group !== '');
  const others = groups.filter((one) => one !== group);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{production ? 'Group, colour and protection: production' : 'Group, colour and protection'}</summary>
      <div className="form-grid">
        <TextField
          label="Group"
          help={
            others.length > 0
              ? `A heading in the list of connections. Existing groups: ${others.join(', ')}.`
              : 'A heading in the list of connections.'
          }
          placeholder="none"
          value={group}
          onChange={(text) => onChange({ group: text.slice(0, 60) })}
        />
        <Hues hue={hue} onChange={(to) => onChange({ hue: to })} />
        <div className="span-all">
          <Checkbox
            label="Production: other users depend on this server"
            checked={production !== null}
            onChange={(on) => onChange({ production: on ? {} : null })}
          />
          <p className="help">
            Each run then asks you to type the name of its host. It writes only if you allow it here, and stays within
            these limits.
          </p>
        </div>
      </div>
      {production && <Protection production={production} onChange={(to) => onChange({ production: to })} />}
    </details>
  );
};
