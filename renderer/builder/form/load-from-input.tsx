import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { type HostShare, hostShares, loadFromPattern, loadFromText, localHostName } from '#model/load-hosts.ts';
import { loadHosts } from '../../state/load-hosts.ts';
import { goTo } from '../../state/navigation.ts';
import { useStore } from '../../state/store.ts';
import { Checkbox } from '../../ui/controls/fields.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { asFormText } from '../form-text.ts';
import type { FormField } from './form-field.ts';

interface Props {
  readonly field: FormField;
  readonly value: unknown;
  readonly onChange: (value: string) => void;
}

/** The load hosts of a load, and their weights. At least one stays. */
export const LoadFromInput = ({ field, value, onChange }: Props) => {
  const saved = useStore(loadHosts)?.hosts ?? [];
  // An invalid weight is stored in the file as 0, which the check refuses.
  const [unread, setUnread] = useState<Readonly<Record<string, string>>>({});
  const isWritten = typeof value === 'string' && loadFromPattern.test(value.replaceAll(/\*0\b/g, '*1'));
  const written = isWritten ? value : field.defaultValue;
  const shares = hostShares(written);
  const named = shares.map(({ host }) => host);
  const names = [...new Set([localHostName, ...saved.map(({ host }) => host.name), ...named])];
  const change = (next: readonly HostShare[]) => onChange(loadFromText(next));
  const about = (name: string): string =>
    name === localHostName
      ? 'local: this machine'
      : saved.some(({ host }) => host.name === name)
        ? name
        : `${name}: no load host of this name`;
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
                  label={`Weight of ${name}`}
                  hideLabel
                  placeholder="weight"
                  whole
                  min={1}
                  max={999}
                  value={share.weight === 0 ? (unread[name] ?? 0) : share.weight}
                  onChange={(entry) => {
                    const weight = typeof entry === 'string' ? 0 : entry;
                    if (typeof entry === 'string') setUnread({ ...unread, [name]: entry });
                    change(
                      shares.map((one) => ({
                        ...one,
                        // Either all hosts have weights, or none.
                        weight: weight === null ? null : one === share ? weight : (one.weight ?? 1),
                      })),
                    );
                  }}
                />
              )}
            </li>
          );
        })}
      </ul>
      <p className="help">{asFormText(field.description, {})}</p>
      <AriaButton className="link" onPress={() => goTo({ page: 'hosts' })}>
        {saved.length === 0 ? 'Add load hosts' : 'Load hosts'}
      </AriaButton>
    </fieldset>
  );
};
