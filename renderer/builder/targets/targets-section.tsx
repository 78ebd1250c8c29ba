import { useState } from 'react';
import type { BuiltInTarget, EngineDescriptor } from '#engine-api/descriptor.ts';
import { otherVersions } from '#rules/targets/target-fields.ts';
import { ServerAction, ServerFix, useMissingServers } from '../../connections/server-fix.tsx';
import { HelpButton } from '../../help/help-button.tsx';
import { engineTopic, fileTopic } from '../../help/help-store.ts';
import { appInfo } from '../../state/app-info.ts';
import { connections } from '../../state/connections.ts';
import { useStore } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { ActionMenu } from '../../ui/overlays/menu.tsx';
import { draft } from '../draft/draft-store.ts';
import { asText, isRecord, listAt, type Raw } from '../draft/raw-experiment.ts';
import { edit, editAll } from '../form/edit.ts';
import { Section } from '../form/section.tsx';
import { AddTargetDialog } from './add-target-dialog.tsx';
import { PricesFold } from './prices-fold.tsx';
import { ServerRow } from './server-row.tsx';

const nameOf = (target: unknown): string => (isRecord(target) ? asText(target.name) : asText(target));

/** The fields of a target in the words of its form, without secrets: "PostgreSQL, host db.example.com, port 5432". */
function addressOf(target: Raw, engines: readonly EngineDescriptor[]): string {
  const engine = engines.find(({ id }) => id === target.engine);
  const fields = (engine?.config ?? []).flatMap(({ name, label, kind }) => {
    const value = target[name];
    return value === undefined || kind === 'password' || typeof value === 'object'
      ? []
      : [`${label.toLowerCase()} ${String(value)}`];
  });
  return [engine?.label ?? asText(target.engine), ...fields].join(', ');
}

function toggle(targets: readonly unknown[], name: string, on: boolean): void {
  const index = targets.findIndex((target) => nameOf(target) === name);
  if (on) edit(['targets', targets.length], name);
  else if (index >= 0) remove(index, name);
}

/** Removes a target with its price. */
const remove = (index: number, name: string): void =>
  editAll([
    { path: ['targets', index], value: undefined },
    { path: ['prices', 'perHour', name], value: undefined },
  ]);

interface ListProps {
  readonly engines: readonly EngineDescriptor[];
  readonly targets: readonly unknown[];
}

/** The looks of the chosen targets in charts, by name. */
const useLooks = (): ReadonlyMap<string, number> =>
  new Map(useStore(draft)?.checked?.plan?.targets.map(({ name, index }) => [name, index]));

/** The look of a target that the file names, and whether the target is chosen. */
const lookOf = (targets: readonly unknown[], name: string, looks: ReadonlyMap<string, number>) => ({
  isChosen: targets.includes(name),
  look: targets.includes(name) ? (looks.get(name) ?? null) : null,
});

/** The last target cannot be removed. */
const choose = (targets: readonly unknown[], name: string, isMissing = false) => ({
  disabled: targets.includes(name) ? targets.length === 1 : isMissing,
  onChange: (on: boolean) => toggle(targets, name, on),
});

const Connections = ({ engines, targets }: ListProps) => {
  const looks = useLooks();
  return (useStore(connections)?.connections ?? []).map(({ id, name, engine, address, group, production }) => (
    <ServerRow
      key={id}
      name={name}
      about={`${engines.find((one) => one.id === engine)?.label ?? engine}${address ? `, ${address}` : ''}`}
      {...lookOf(targets, name, looks)}
      status={production ? 'Production' : (group ?? 'Connection')}
      isProduction={production !== undefined}
      choose={choose(targets, name)}
      action={<HelpButton about={name} topic={engineTopic(engine)} />}
    />
  ));
};

/** Targets that the file describes, and names that are unknown on this machine. */
const InTheFile = ({ engines, targets }: ListProps) => {
  const looks = useLooks();
  const known = [
    ...(useStore(connections)?.connections ?? []).map(({ name }) => name),
    ...engines.flatMap(({ builtIn }) => builtIn.map(({ target }) => target)),
  ];
  return targets
    .map((target, index) => ({ target, index, name: nameOf(target) }))
    .filter(({ target, name }) => isRecord(target) || !known.includes(name))
    .map(({ target, index, name }) => (
      <ServerRow
        key={name}
        name={name}
        about={isRecord(target) ? addressOf(target, engines) : 'This computer has no connection with this name.'}
        isChosen
        look={looks.get(name) ?? null}
        status={isRecord(target) ? 'In the file' : 'Unknown'}
        action={
          <IconButton
            icon="trash"
            label={`Remove target ${name}`}
            isDisabled={targets.length === 1}
            onPress={() => remove(index, name)}
          />
        }
      />
    ));
};

interface OtherVersionProps {
  readonly label: string;
  readonly versions: readonly BuiltInTarget[];
  readonly targets: readonly unknown[];
}

/** Adds a target of another version of the product; the versions that this machine has come first. */
const OtherVersion = ({ label, versions, targets }: OtherVersionProps) => {
  const missing = useStore(appInfo)?.missing ?? {};
  return (
    <div>
      <ActionMenu
        label={`Compare with another version of ${label}`}
        text="Compare with another version"
        icon="plus"
        kind="quiet"
        placement="bottom start"
        actions={versions
          .toSorted((a, b) => Number(a.target in missing) - Number(b.target in missing))
          .map((one) => ({
            id: one.target,
            label: one.target in missing ? `${one.label} (not installed)` : one.label,
            run: () => toggle(targets, one.target, true),
          }))}
      />
    </div>
  );
};

/**
 * The built-in targets: the usual ones, or the versions of products. Targets without a server on this machine come
 * last; they can be removed, but not added.
 */
const BuiltIn = ({ engines, targets, versions }: ListProps & { readonly versions: boolean }) => {
  const looks = useLooks();
  const missing = useMissingServers();
  const known = useStore(appInfo)?.missing ?? {};
  return engines
    .flatMap((engine) => engine.builtIn.map((one) => ({ ...one, engine })))
    .filter(({ version }) => (version !== undefined) === versions)
    .toSorted((a, b) => Number(a.target in known) - Number(b.target in known))
    .map(({ target, label, about, engine }) => {
      const isMissing = target in known;
      const lack = missing[target];
      const isUsed = targets.includes(target);
      const notice = isUsed ? engine.notice : undefined;
      const others = isUsed ? otherVersions(target, engine).filter((one) => !targets.includes(one.target)) : [];
      return (
        <ServerRow
          key={target}
          name={label.replace(/ \(.*\)$/, '')}
          about={about.replaceAll('`', '')}
          {...lookOf(targets, target, looks)}
          status={isMissing ? 'Not installed' : engine.inProcess ? 'In Dyno' : 'Started by Dyno'}
          choose={choose(targets, target, isMissing)}
          action={
            <>
              {isMissing && lack && <ServerAction label={label} missing={lack} />}
              <HelpButton about={label} topic={engineTopic(engine.id)} />
            </>
          }
        >
          {(others.length > 0 || notice || (isMissing && lack)) && (
            <>
              {others.length > 0 && <OtherVersion label={label} versions={others} targets={targets} />}
              {notice && <p className="help">{notice}</p>}
              {isMissing && lack && (
                <details>
                  <summary>{lack.what.replaceAll('`', '')}</summary>
                  <ServerFix label={label} missing={lack} />
                </details>
              )}
            </>
          )}
        </ServerRow>
      );
    });
};

/** The targets of one version each, folded unless one of them is chosen. */
const Versions = (props: ListProps) => {
  const known = useStore(appInfo)?.missing ?? {};
  const all = props.engines.flatMap(({ builtIn }) => builtIn.filter(({ version }) => version !== undefined));
  const isUsed = all.some(({ target }) => props.targets.includes(target));
  const [isOpen, setOpen] = useState(isUsed);
  const here = all.filter(({ target }) => !(target in known)).length;
  return (
    <details
      className="target-versions"
      open={isOpen || isUsed}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        Versions side by side: {here} of {all.length} installed
      </summary>
      <ul className="target-list">
        <BuiltIn {...props} versions />
      </ul>
    </details>
  );
};

/** The targets to compare, the user's own first. */
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
      help={fileTopic('targets')}
      about="The servers that the experiment compares, and engines that run inside Dyno."
      actions={
        <Button kind="quiet" icon="plus" onPress={() => setAdding(true)}>
          Add target
        </Button>
      }
    >
      <ul className="target-list">
        <Connections engines={engines} targets={targets} />
        <InTheFile engines={engines} targets={targets} />
        <BuiltIn engines={engines} targets={targets} versions={false} />
      </ul>
      <Versions engines={engines} targets={targets} />
      <PricesFold raw={raw} names={targets.map(nameOf)} />
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
