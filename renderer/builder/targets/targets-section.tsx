import { useState } from 'react';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { appInfo } from '../../state/app-info.ts';
import { connections } from '../../state/connections.ts';
import { useStore } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { asText, isRecord, listAt, type Raw } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Section } from '../form/section.tsx';
import { AddTargetDialog } from './add-target-dialog.tsx';

const nameOf = (target: unknown): string => (isRecord(target) ? asText(target.name) : asText(target));

const addressOf = (target: Raw): string =>
  Object.entries(target)
    .filter(([key, value]) => key !== 'name' && key !== 'password' && typeof value !== 'object')
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(', ');

const MissingServer = ({ what, fix }: { readonly what: string; readonly fix: string }) => (
  <span className="help">
    Missing on this machine: {what} To fix: {fix}
  </span>
);

function toggle(targets: readonly unknown[], name: string, on: boolean): void {
  const index = targets.findIndex((target) => nameOf(target) === name);
  if (on) edit(['targets', targets.length], name);
  else if (index >= 0) edit(['targets', index], undefined);
}

interface ListProps {
  readonly engines: readonly EngineDescriptor[];
  readonly targets: readonly unknown[];
}

/** Checkboxes of the built-in targets. */
const BuiltInChoices = ({ engines, targets }: ListProps) => {
  const missing = useStore(appInfo)?.missing ?? {};
  return engines
    .flatMap(({ builtIn, notice }) => builtIn.map((one) => ({ ...one, notice })))
    .map(({ target, label, about, notice }) => (
      <li key={target}>
        <Checkbox
          checked={targets.includes(target)}
          // A target whose server is missing here can be removed, but not added.
          disabled={targets.includes(target) ? targets.length === 1 : missing[target] !== undefined}
          onChange={(on) => toggle(targets, target, on)}
          label={
            <>
              {label} <span className="faint">{about}</span>
              {notice && targets.includes(target) && <span className="help">{notice}</span>}
              {missing[target] && <MissingServer {...missing[target]} />}
            </>
          }
        />
      </li>
    ));
};

/** The other targets: connections, and targets that the file describes. */
const OtherChosen = ({ engines, targets }: ListProps) => {
  const known = useStore(connections)?.connections ?? [];
  const builtIn = engines.flatMap((engine) => engine.builtIn.map(({ target }) => target));
  const describe = (target: unknown): string => {
    if (isRecord(target)) return addressOf(target);
    const connection = known.find(({ name }) => name === target);
    return connection
      ? `connection, ${connection.engine} ${connection.address ?? ''}`
      : 'no connection of this name here';
  };
  return targets
    .map((target, index) => ({ target, index }))
    .filter(({ target }) => isRecord(target) || !builtIn.includes(asText(target)))
    .map(({ target, index }) => (
      <li key={nameOf(target)} className="row">
        <span className="grow">
          {nameOf(target)} <span className="faint">{describe(target)}</span>
        </span>
        <IconButton
          icon="trash"
          label={`Remove target ${nameOf(target)}`}
          isDisabled={targets.length === 1}
          onPress={() => edit(['targets', index], undefined)}
        />
      </li>
    ));
};

export const TargetsSection = ({ raw }: { readonly raw: Raw }) => {
  const [adding, setAdding] = useState(false);
  // The no-op engine comes last.
  const engines = (useStore(appInfo)?.engines ?? []).toSorted(
    (a, b) => Number(a.reference ?? false) - Number(b.reference ?? false),
  );
  const targets = listAt(raw, ['targets']);
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
        <BuiltInChoices engines={engines} targets={targets} />
        <OtherChosen engines={engines} targets={targets} />
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
