import { useState } from 'react';
import { fileTopic } from '../../help/help-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { type Raw, recordAt, variedSettings } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { optionFields } from '../form/option-fields.ts';
import { Section } from '../form/section.tsx';
import { SettingInput } from '../form/setting-input.tsx';
import { useEngines } from '../form/use-engines.ts';
import { useKept } from '../form/use-kept.ts';
import { VarySetting } from '../variants/vary-setting.tsx';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** The options of engines: those of the targets' engines, and all that the file sets. */
export const OptionsSection = ({ raw }: { readonly raw: Raw }) => {
  const [isAll, setAll] = useState(false);
  const { all, used } = useEngines(raw);
  const set = recordAt(raw, ['workload', 'options']);
  const varied = variedSettings(raw);
  const kept = useKept(Object.keys(set));
  const engines = all
    .map((engine) => ({ engine, fields: optionFields(engine) }))
    .filter(
      ({ engine, fields }) => fields.length > 0 && (used.includes(engine) || fields.some(({ name }) => name in set)),
    );
  if (engines.length === 0) return null;
  const shown = engines
    .map(({ engine, fields }) => ({
      engine,
      fields: fields.filter(
        ({ name }) => name in set || (!varied.has(name) && (kept.includes(name) || (isAll && used.includes(engine)))),
      ),
    }))
    .filter(({ fields }) => fields.length > 0);
  return (
    <Section
      title="Engine-specific options"
      help={fileTopic('settings')}
      about="An option applies to one engine. It can also be a factor."
      actions={
        <Button kind="quiet" onPress={() => setAll(!isAll)}>
          {isAll ? 'Only what is set' : 'All options'}
        </Button>
      }
    >
      {shown.length === 0 && (
        <p className="muted">
          {`All options of ${list.format(engines.map(({ engine }) => engine.label))} have their defaults.`}
        </p>
      )}
      {shown.map(({ engine, fields }) => (
        <fieldset key={engine.id} className="engine-options" aria-label={`Options of ${engine.label}`}>
          <h3>{engine.label}</h3>
          <div className="form-grid form-grid-wide">
            {fields.map((field) => (
              <SettingInput
                key={field.name}
                field={{ ...field, title: field.title.slice(engine.label.length + 2) }}
                value={set[field.name]}
                beside={<VarySetting raw={raw} field={field} />}
                onChange={(value) => edit(['workload', 'options', field.name], value)}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </Section>
  );
};
