import { poolerText } from '#engine-api/cautions.ts';
import { allTables } from '#model/dataset/tables.ts';
import { formatCount } from '#model/format/format.ts';
import { productionDetail } from '#model/production.ts';
import { tlsSetting } from '#model/settings/session-settings.ts';
import { tunnelDetails, tunnelKinds, tunnelWords } from '#model/tunnel.ts';
import { experimentsOf, planOf, variantOf } from '#planning/variant-of.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { Variant } from '#protocol/plan.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { type ComparedSetting, differ, type Matters } from './server-settings.ts';
import { valueInTrials } from './session-values.ts';

type Facts = Pick<RunModel, 'plan' | 'targets' | 'trials' | 'cells'>;

/** A compared item, the effect that it matters for, and the value of one target; null if the target has none. */
type SetupRow = readonly [
  setting: string,
  matters: Matters,
  read: (model: Facts, target: TargetRecord) => string | null,
];

/** The facts of a comparison besides the servers' settings: location, access, and the work done. */
export const setupRows = (model: Facts): readonly ComparedSetting[] =>
  rows
    .map(([setting, matters, read]): ComparedSetting => {
      const values = model.targets.map((target) => read(model, target));
      return { group: 'setup', setting, matters, values, differs: differ(values) };
    })
    .filter(({ values }) => values.some((value) => value !== null));

/** The check uses the address alone: a name that resolves to this machine is not recognised. */
function placeOf(_: Facts, { address, descriptor, details }: TargetRecord): string | null {
  if (descriptor.reference) return null;
  if (descriptor.inProcess) return 'inside the client process';
  if (address === '') return null;
  // Only the SSH server or proxy can resolve the address.
  const tunnel = tunnelKinds.find((kind) => details[tunnelDetails[kind]] !== undefined);
  if (tunnel) return `behind ${tunnelWords[tunnel]}`;
  if (address.startsWith('/')) return 'on this machine (socket)';
  const host = /^(?:[a-z+]+:\/\/|srv:)?(\[[^\]]+\]|[^:,/\\\s]+)/i.exec(address)?.[1]?.toLowerCase();
  if (host === undefined) return null;
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
    ? 'on this machine (loopback)'
    : 'on another machine, or under another name';
}

/** A target without the item shows its absence if another target has it. */
function poolerIn({ targets }: Facts, { fingerprint, descriptor }: TargetRecord): string | null {
  if (descriptor.reference || !targets.some((target) => target.fingerprint?.pooler)) return null;
  return fingerprint?.pooler ? poolerText(fingerprint.pooler) : 'none';
}

/** Details by the names that engines use; text after the name only explains. */
function transportOf(model: Facts, target: TargetRecord): string | null {
  const { details, descriptor } = target;
  if (descriptor.inProcess) return null;
  const told = details.ssl ?? details.tls ?? details.encrypt;
  if (told === undefined) return null;
  const found = /^(false|no|off|none|disable|disabled)\b/i.test(told) ? 'no' : 'yes';
  return valueInTrials(model, target, tlsSetting, found);
}

/** Variants with a result on every working target; other variants would compare different experiments. */
function sharedVariants({ trials, targets }: Facts): ReadonlySet<string> {
  const working = targets.filter(({ descriptor }) => !descriptor.reference);
  const ok = trials.filter(({ result }) => result?.status === 'ok');
  const on = (name: string) =>
    new Set(ok.filter(({ trial }) => trial.target === name).map(({ trial }) => trial.variant));
  const [first, ...others] = working.map(({ name }) => on(name)).filter((variants) => variants.size > 0);
  return new Set([...(first ?? [])].filter((variant) => others.every((one) => one.has(variant))));
}

function loadsOf({ plan, trials }: Facts, { name }: TargetRecord): string | null {
  const own = trials.filter(({ trial, result }) => trial.target === name && result?.status === 'ok');
  const loads = own.flatMap(({ trial }) => variantOf(plan, trial.variant)?.settings.connections ?? []);
  const all = [...new Set(loads)].toSorted((a, b) => a - b);
  return all.length === 0 ? null : all.map(formatCount).join(', ');
}

/**
 * The row exists only if the experiment sets the number of rows: in trials measured by time, a faster server has more.
 */
function rowsOf(model: Facts, { name }: TargetRecord): string | null {
  const { plan, trials } = model;
  const shared = sharedVariants(model);
  const counts = trials.flatMap(({ trial, result }) => {
    const operation = variantOf(plan, trial.variant)?.settings.operation;
    const isSet = plan.measure.until === 'rows' || !['insert', 'copy', 'delete'].includes(operation ?? '');
    const found = result?.status === 'ok' ? result.verification.foundRows : null;
    return trial.target === name && shared.has(trial.variant) && isSet && found !== null ? [found] : [];
  });
  const all = [...new Set(counts)].toSorted((a, b) => a - b);
  if (all.length === 0) return null;
  return all.length === 1 ? formatCount(all[0]) : `${formatCount(all[0])} to ${formatCount(all.at(-1))}`;
}

const checkWords = {
  match: 'count and checksum',
  mismatch: 'count and checksum, which differed',
  countOnly: 'count alone',
} as const;

function checksOf({ trials }: Facts, { name }: TargetRecord): string | null {
  const words = trials.flatMap(({ trial, result }) => {
    const outcome = trial.target === name ? result?.verification.outcome : undefined;
    return outcome === 'match' || outcome === 'mismatch' || outcome === 'countOnly' ? [checkWords[outcome]] : [];
  });
  return words.length === 0 ? null : [...new Set(words)].toSorted().join('; ');
}

/** The row exists if the experiment leaves the choice to the engine in some of its trials. */
function documentsOf({ plan, trials }: Facts, { name, descriptor }: TargetRecord): string | null {
  const columns = experimentsOf(plan).flatMap(({ dataset }) => Object.values(dataset.columns));
  if (descriptor.reference || !columns.some(({ type }) => type === 'document')) return null;
  const isNative = ({ trial }: Facts['trials'][number]) =>
    variantOf(plan, trial.variant)?.settings.documents === 'native';
  if (!trials.some(isNative)) return null;
  const own = trials.filter(({ trial }) => trial.target === name);
  const kinds = own.map((view) => (isNative(view) && descriptor.documents) || 'JSON text');
  return kinds.length === 0 ? null : [...new Set(kinds)].toSorted().join('; ');
}

/**
 * The row exists if columns reference tables of the experiment. It counts the references that engine and variants
 * enforce.
 */
function foreignKeysOf({ plan, trials }: Facts, { name, descriptor }: TargetRecord): string | null {
  const referencesOf = (variant: Variant | undefined) =>
    Object.values(allTables(planOf(plan, variant).experiment)).flatMap(({ columns }) =>
      Object.values(columns).filter((spec) => spec.type === 'reference' && spec.table !== undefined),
    ).length;
  const own = trials.filter(({ trial }) => trial.target === name);
  if (descriptor.reference || own.length === 0 || plan.variants.every((one) => referencesOf(one) === 0)) return null;
  const checked = own.map(({ trial, result }) => {
    const variant = variantOf(plan, trial.variant);
    const references = referencesOf(variant);
    if (descriptor.foreignKeys === undefined || variant?.settings.foreignKeys === false || references === 0)
      return 'none';
    const { untrustedForeignKeys: untrusted = 0 } = result ?? {};
    return `${formatCount(references)}${untrusted > 0 ? `, ${formatCount(untrusted)} not trusted by the server: rows came in unchecked` : ''}`;
  });
  return [...new Set(checked)].toSorted().join('; ');
}

/** The value depends on the server's counting: a table in the order of its key has no separate index for it. */
function indexesOf({ cells }: Facts, { name }: TargetRecord): string | null {
  const places = cells.flatMap(({ target, storedBytesPerRow: stored }) =>
    target === name && stored ? [stored.index > 0 ? 'beside the table' : 'within the table, or not counted apart'] : [],
  );
  return places.length === 0 ? null : [...new Set(places)].join('; ');
}

const rows: readonly SetupRow[] = [
  ['where it runs', 'place', placeOf],
  ['connections are encrypted', 'transport', transportOf],
  ['connection pooler', 'place', poolerIn],
  ['marked as production', 'other', (_, { details }) => details[productionDetail] ?? null],
  ['connections at once', 'other', loadsOf],
  ['rows found in the table', 'rows', rowsOf],
  ['indexes are stored', 'other', indexesOf],
  ['foreign keys that are checked', 'foreignKeys', foreignKeysOf],
  ['documents are stored as', 'other', documentsOf],
  ['rows were checked by', 'other', checksOf],
];
