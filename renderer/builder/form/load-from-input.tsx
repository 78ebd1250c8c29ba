import { Button as AriaButton } from 'react-aria-components/Button';
import { type HostShare, hostShares, loadFromPattern, loadFromText, localHostName } from '#model/load-hosts.ts';
import { loadHosts } from '../../state/load-hosts.ts';
import { goTo } from '../../state/navigation.ts';
import { useStore } from '../../state/store.ts';
import { Checkbox, NumberField } from '../../ui/controls/fields.tsx';
import { inFormWords } from '../form-words.ts';
import { texts } from '../text.ts';
import type { SettingField } from './setting-fields.ts';

interface Props {
  readonly field: SettingField;
  readonly value: unknown;
  readonly onChange: (value: string) => void;
}

/** The load hosts of a load: which, and how large their parts are. One at least stays. */
export const LoadFromInput = ({ field, value, onChange }: Props) => {
  const saved = useStore(loadHosts)?.hosts ?? [];
  const written = typeof value === 'string' && loadFromPattern.test(value) ? value : field.defaultValue;
  const shares = hostShares(written);
  const named = shares.map(({ host }) => host);
  const names = [...new Set([localHostName, ...saved.map(({ host }) => host.name), ...named])];
  const change = (next: readonly HostShare[]) => onChange(loadFromText(next));
  const about = (name: string): string =>
    name === localHostName
      ? texts.loadFromInput.thisMachine
      : saved.some(({ host }) => host.name === name)
        ? name
        : texts.loadFromInput.unknown(name);
  return (
    <fieldset className="field load-from" aria-label={field.title}>
      <legend className="label">{field.title}</legend>
      <ul>
        {names.map((name) => {
          const share = shares.find(({ host }) => host === name);
          return (
            <li key={name}>
              <Checkbox
                label={about(name)}
                checked={share !== undefined}
                disabled={share !== undefined && shares.length === 1}
                onChange={(checked) =>
                  change(
                    checked
                      ? [...shares, { host: name, weight: shares.some(({ weight }) => weight !== null) ? 1 : null }]
                      : shares.filter(({ host }) => host !== name),
                  )
                }
              />
              {share !== undefined && shares.length > 1 && (
                <NumberField
                  label={texts.loadFromInput.weightOf(name)}
                  hideLabel
                  placeholder={texts.loadFromInput.weight}
                  min={1}
                  max={999}
                  value={share.weight}
                  onChange={(weight) =>
                    change(
                      shares.map((one) => ({
                        ...one,
                        // All have one or none.
                        weight: weight === null ? null : one === share ? weight : (one.weight ?? 1),
                      })),
                    )
                  }
                />
              )}
            </li>
          );
        })}
      </ul>
      <p className="help">{inFormWords(field.description, {})}</p>
      <AriaButton className="link" onPress={() => goTo({ page: 'hosts' })}>
        {saved.length === 0 ? texts.loadFromInput.addLoadHosts : texts.loadFromInput.loadHosts}
      </AriaButton>
    </fieldset>
  );
};
