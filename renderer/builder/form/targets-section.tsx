import { useState } from 'react';
import { appInfo } from '../../shell/app-info.ts';
import { useStore } from '../../store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { AddTargetDialog } from './add-target-dialog.tsx';
import { edit } from './edit.ts';
import { isRecord, listAt, type Raw, textOf } from './form-model.ts';
import { Section } from './section.tsx';

const nameOf = (target: unknown): string => (isRecord(target) ? textOf(target.name) : textOf(target));

const addressOf = (target: Raw): string =>
  Object.entries(target)
    .filter(([key, value]) => key !== 'name' && key !== 'password' && typeof value !== 'object')
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(', ');

export const TargetsSection = ({ raw }: { readonly raw: Raw }) => {
  const [adding, setAdding] = useState(false);
  const known = useStore(appInfo)?.engines ?? [];
  // The engine that does nothing is company for the others, not a first choice.
  const engines = known.toSorted((a, b) => Number(a.reference ?? false) - Number(b.reference ?? false));
  const targets = listAt(raw, ['targets']);
  const own = targets.map((target, index) => ({ target, index })).filter(({ target }) => isRecord(target));
  const toggle = (name: string, on: boolean) => {
    const index = targets.findIndex((target) => nameOf(target) === name);
    if (on) edit(['targets', targets.length], name);
    else if (index >= 0) edit(['targets', index], undefined);
  };
  return (
    <Section
      title="Targets"
      about="The servers compared."
      actions={
        <Button kind="quiet" icon="plus" onPress={() => setAdding(true)}>
          Add target
        </Button>
      }
    >
      <ul className="target-list">
        {engines.flatMap(({ id, embedded }) =>
          embedded ? (
            <li key={id}>
              <Checkbox
                checked={targets.includes(embedded.target)}
                disabled={targets.length === 1 && targets.includes(embedded.target)}
                onChange={(on) => toggle(embedded.target, on)}
                label={
                  <>
                    {embedded.label} <span className="faint">{embedded.about}</span>
                  </>
                }
              />
            </li>
          ) : (
            []
          ),
        )}
        {own.map(({ target, index }) => (
          <li key={nameOf(target)} className="row">
            <span className="grow">
              {nameOf(target)} <span className="faint">{isRecord(target) ? addressOf(target) : ''}</span>
            </span>
            <IconButton
              icon="trash"
              label={`Remove target ${nameOf(target)}`}
              isDisabled={targets.length === 1}
              onPress={() => edit(['targets', index], undefined)}
            />
          </li>
        ))}
      </ul>
      {adding && (
        <AddTargetDialog
          engines={engines}
          taken={targets.map(nameOf)}
          onAdd={(target) => edit(['targets', targets.length], target)}
          onClose={() => setAdding(false)}
        />
      )}
    </Section>
  );
};
