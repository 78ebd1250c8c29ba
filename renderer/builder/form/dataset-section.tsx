import { NumberField } from '../../ui/fields.tsx';
import { ColumnsTable } from './columns-table.tsx';
import { DatasetPreview } from './dataset-preview.tsx';
import { edit } from './edit.ts';
import { numberOf, type Raw, recordAt } from './form-model.ts';
import { IndexesTable } from './indexes-table.tsx';
import { Section } from './section.tsx';

export const DatasetSection = ({ raw }: { readonly raw: Raw }) => {
  const dataset = recordAt(raw, ['dataset']);
  return (
    <Section title="Dataset" about="Made from the seed: the same rows on every target.">
      <div className="form-grid">
        <NumberField
          label="Rows"
          help="Inserted, or loaded before the clock for reads, updates and deletes."
          min={1}
          value={numberOf(dataset.rows)}
          onChange={(rows) => rows !== null && edit(['dataset', 'rows'], rows)}
        />
        <NumberField
          label="Seed"
          help="Same seed, same rows."
          placeholder="1"
          value={numberOf(dataset.seed)}
          onChange={(seed) => edit(['dataset', 'seed'], seed ?? undefined)}
        />
      </div>
      <ColumnsTable raw={raw} />
      <IndexesTable raw={raw} />
      <DatasetPreview dataset={dataset} />
    </Section>
  );
};
