import { fileTopic } from '../../help/help-store.ts';
import { type Raw, recordAt, variedSettings } from '../draft/raw-experiment.ts';
import { Section } from '../form/section.tsx';
import { settingField } from '../form/setting-fields.ts';
import { useKept } from '../form/use-kept.ts';
import { mainSettings } from '../outline/sections.ts';
import { SettingGrid } from './setting-grid.tsx';

/** The settings that every workload shows, also if the file does not set them. */
const always: readonly string[] = ['operation', 'method', 'load', 'connections'];

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** The operation, its method and the load. */
export const OperationSection = ({ raw }: { readonly raw: Raw }) => {
  const workload = recordAt(raw, ['workload']);
  const varied = variedSettings(raw);
  const fields = mainSettings.flatMap((name) => settingField(name) ?? []);
  const factors = fields.filter(({ name }) => varied.has(name) && !(name in workload));
  const isOpen = workload.load === 'open' || workload.load === 'partlyOpen';
  const shown = useKept(
    fields
      .map(({ name }) => name)
      .filter(
        (name) =>
          name in workload ||
          (!varied.has(name) && (always.includes(name) || name === (isOpen ? 'arrivalsPerSecond' : 'users'))),
      ),
  );
  return (
    <Section title="Operation and load" help={fileTopic('settings')}>
      <SettingGrid
        raw={raw}
        fields={fields.filter(({ name }) => shown.includes(name) && (name in workload || !varied.has(name)))}
      />
      {factors.length > 0 && (
        <p className="faint varied">
          {`${list.format(factors.map(({ label }) => label))} ${factors.length === 1 ? 'is a factor' : 'are factors'}: see Factors.`}
        </p>
      )}
    </Section>
  );
};
