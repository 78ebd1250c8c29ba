import { cautionsOf } from '#engine-api/cautions.ts';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import { errorText } from '#model/error-text.ts';
import { isContender, isEmulator } from '#planning/rates/contenders.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { Caveat, RunModel } from '../run-model/run-model.ts';
import {
  type ComparedSetting,
  comparedServerSettings,
  isNone,
  isolationSetting,
  storedRow,
} from '../settings/server-settings.ts';
import { valueInTrials, valuesInTrials } from '../settings/session-values.ts';

type Targets = Pick<RunModel, 'targets'>;

/** Settings of the same name are compared. Engines name settings differently, so the reader has to judge the rest. */
export function durabilityCaveats(model: Pick<RunModel, 'plan' | 'targets' | 'cells' | 'trials'>): readonly Caveat[] {
  const contenders = model.targets.filter(
    (target): target is TargetRecord & { fingerprint: Fingerprint } =>
      target.fingerprint !== null && isContender(model, target.name),
  );
  const within = contenders.flatMap((target) => durabilityWithin(model, target));
  if (contenders.length < 2) return within;
  const different = comparedServerSettings({ ...model, targets: contenders }).filter(({ differs }) => differs);
  const list = ({ values }: ComparedSetting, quote = ['', '']): string =>
    contenders
      .flatMap(({ name }, i) => (values[i] == null ? [] : [`${name} ${quote[0]}${values[i]}${quote[1]}`]))
      .join('; ');
  const unequal = different.flatMap((row): Caveat[] => {
    if (row.setting === isolationSetting)
      return row.values.some(isNone) ? [unequalIsolation(list(row, ['“', '”']))] : [];
    if (row.group !== 'durability') return [];
    const text = `${row.setting}: ${list(row)}. A faster commit may be less durable.`;
    return [{ severity: 'warning', cell: null, title: 'Unequal durability', text }];
  });
  const engines = new Set(contenders.map(({ engine }) => engine));
  if (engines.size < 2) return [...within, ...unequal];
  const promises = contenders.map((target) => {
    const settings = Object.entries(target.fingerprint.durability).map(
      ([setting, value]) => `${setting} = ${valueInTrials(model, target, setting, value)}`,
    );
    return settings.length === 0 ? target.name : `${target.name} (${settings.join(', ')})`;
  });
  // An anonymous report does not tell them.
  const areTold = contenders.some(({ fingerprint }) => Object.keys(fingerprint.durability).length > 0);
  return [
    ...within,
    ...unequal,
    {
      severity: 'info',
      cell: null,
      title: 'Check that durability is alike',
      text: `Different engines promise durability by different settings${areTold ? `: ${promises.join('; ')}` : ''}.`,
    },
  ];
}

/** The variants of one target that promise different durability, by their sessions or their servers. */
const durabilityWithin = (
  model: Pick<RunModel, 'plan' | 'trials'>,
  target: TargetRecord & { readonly fingerprint: Fingerprint },
): readonly Caveat[] =>
  Object.entries(target.fingerprint.durability).flatMap(([setting, found]): readonly Caveat[] => {
    const { values } = valuesInTrials(model, target, setting, found);
    if (new Set(values).size < 2) return [];
    return [
      {
        severity: 'warning',
        cell: { target: target.name },
        title: 'Unequal durability',
        text: `${setting}: ${values.join('; ')}, by variants. A faster commit may be less durable.`,
      },
    ];
  });

const unequalIsolation = (list: string): Caveat => ({
  severity: 'warning',
  cell: null,
  title: 'Unequal isolation',
  text: `isolation: ${list}. Without isolation, connections see each other’s uncommitted changes, and a rollback may undo nothing, which is less work than the other targets do.`,
});

/** Bytes per row of different kinds stand beside each other. */
export function mediumCaveat(model: Pick<RunModel, 'targets' | 'cells'>): Caveat | null {
  const contenders = model.targets.filter(({ name }) => isContender(model, name));
  const row = storedRow({ targets: contenders, cells: model.cells });
  if (row === null || !row.differs) return null;
  const list = contenders.flatMap(({ name }, i) => (row.values[i] == null ? [] : [`${name} ${row.values[i]}`]));
  return {
    severity: 'info',
    cell: null,
    title: 'Bytes in memory beside bytes on disk',
    text: `Stored rows are measured where they are: ${list.join('; ')}. Bytes in memory and bytes on disk do not cost the same, and a table in memory may also be on disk.`,
  };
}

export function inProcessCaveat(model: Targets): Caveat | null {
  const contenders = model.targets.filter(({ name }) => isContender(model, name));
  const inside = contenders.filter(({ descriptor }) => descriptor.inProcess === true);
  if (inside.length === 0 || inside.length === contenders.length) return null;
  return {
    severity: 'info',
    cell: null,
    title: 'In-process engine against servers',
    text: `${inside.map(({ name }) => name).join(', ')} works inside the client process: it has no network and no other users, and it uses the client’s processor time. The servers need a round trip for every call.`,
  };
}

export const emulatorCaveats = ({ targets }: Targets): readonly Caveat[] =>
  targets.filter(isEmulator).map(({ name, fingerprint }) => ({
    severity: 'error',
    cell: { target: name },
    title: 'An emulator, not the product',
    text: `${fingerprint!.emulator} answers in the place of ${fingerprint!.product}. Its timings say nothing about the product.`,
  }));

/** Notes of targets that change the meaning of their numbers. */
export const targetCautions = ({ targets }: Targets): readonly Caveat[] =>
  targets.flatMap(({ name, fingerprint }) =>
    fingerprint === null
      ? []
      : cautionsOf(fingerprint).map(
          (caution) => ({ severity: 'warning', cell: { target: name }, ...caution }) as const,
        ),
  );

export const targetErrors = ({ targets }: Targets): readonly Caveat[] =>
  targets
    .filter(({ error }) => error !== null)
    .map(({ name, error }) => ({
      severity: 'error',
      cell: { target: name },
      title: 'Target could not be used',
      text: errorText(error!),
    }));
