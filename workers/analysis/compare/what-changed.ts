import { type IndexSpec, indexPartText } from '#model/dataset/indexes.ts';
import { isMapping } from '#model/is-mapping.ts';
import { variantOf } from '#planning/variant-of.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { type ChangeKind, changeKinds, type RunChange } from '#protocol/run-change.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { compareHardware } from './compare-machines.ts';

/** The parts of a run that whatChanged reads. */
export interface ComparedRun extends Pick<RunModel, 'environment' | 'files'> {
  readonly plan: Pick<Plan, 'experiment' | 'variants'>;
  readonly targets: readonly ComparedTarget[];
  readonly trials: readonly { readonly result: Pick<TrialResult, 'loadHosts'> | null }[];
}

interface ComparedTarget extends Pick<TargetRecord, 'name' | 'engine' | 'address' | 'details' | 'fingerprint'> {
  readonly descriptor: {
    readonly label: string;
    readonly builtIn: readonly { readonly target: string }[];
  };
}

/**
 * The differences between two runs: experiment, servers, drivers, Dyno, machine and load hosts. Left out are equal
 * values, the planned number of repeats, and values that differ between any two runs: ids, times, ports of this
 * machine, folders, certificates, passwords. compare-machines.ts compares the use of the machine.
 */
export function whatChanged(before: ComparedRun, after: ComparedRun): readonly RunChange[] {
  const experiment = experimentChanges(before, after);
  const all = [
    ...targetChanges(before, after),
    ...experiment,
    ...variantChanges(before, after, experiment),
    ...fileChanges(before, after),
    ...loadHostChanges(before, after),
    ...softwareChanges(before, after),
    ...compareHardware(before, after)
      .filter(({ differs }) => differs)
      .map(
        ({ what, before: from, after: to }): RunChange => ({
          kind: 'machine',
          what,
          where: null,
          before: from,
          after: to,
        }),
      ),
  ];
  return all.toSorted((a, b) => changeKinds.indexOf(a.kind) - changeKinds.indexOf(b.kind));
}

/**
 * Keys that only decide how long a run goes on. Each value says its number of repeats, and a gate that goes on until it
 * is decided plans more of them than it makes.
 */
const lengthOfRun = /^measure\.(?:repeats|until\.precision|budgetSeconds)(?:\.|$)/;

/** Keys of the file that are descriptive only, or whose effect is listed separately. */
const describing: ReadonlySet<string> = new Set([
  ...['dyno', 'name', 'question', 'about', 'published', 'gallery', 'size', 'sizes', 'baseline', 'explain', 'targets'],
]);

const kindOfKey: Readonly<Record<string, ChangeKind>> = {
  ...{ dataset: 'schema', tables: 'schema', workload: 'workload', factors: 'workload', measure: 'measurement' },
  prices: 'price',
};

function experimentChanges(before: ComparedRun, after: ComparedRun): readonly RunChange[] {
  const [old, now] = [before.plan.experiment, after.plan.experiment] as const;
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((key) => !describing.has(key));
  return keys.flatMap((key) =>
    differences([key], (old as Values)[key], (now as Values)[key]).flatMap((one) => changeOf(key, one)),
  );
}

type Values = Readonly<Record<string, unknown>>;

/** A place where two files differ; undefined: absent. */
interface Difference {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

/** Places where two values differ: mappings key by key, lists as a whole. */
function differences(path: readonly string[], before: unknown, after: unknown): readonly Difference[] {
  // Runs that were read from the index share equal parts.
  if (before === after) return [];
  if (isMapping(before) && isMapping(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => differences([...path, key], before[key], after[key]));
  }
  return sameValue(before, after) ? [] : [{ path, before, after }];
}

const sameValue = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

/** JSON with sorted keys, because the order of keys in a file is irrelevant. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    isMapping(one) ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))) : one,
  ) ?? '';

function changeOf(key: string, { path, before, after }: Difference): readonly RunChange[] {
  if (path.at(-1) === 'indexes') return indexChanges(path, before, after);
  if (lengthOfRun.test(path.join('.'))) return [];
  const kind = kindOfKey[key] ?? 'statement';
  return [{ kind, what: path.join('.'), where: null, before: textOf(before), after: textOf(after) }];
}

/** Each index that only one run has, or that differs between the runs. */
function indexChanges(path: readonly string[], before: unknown, after: unknown): readonly RunChange[] {
  const table = path[0] === 'tables' ? `${path[1]} ` : '';
  const [old, now] = [before, after].map(
    (list) => new Map(((list ?? []) as readonly Partial<IndexSpec>[]).map((one) => [nameOf(one), one])),
  );
  const names = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
  return [...names].flatMap((name) => {
    const [one, other] = [old?.get(name), now?.get(name)];
    const [from, to] = [one && indexText(one), other && indexText(other)];
    const change = { what: `${table}${name}`, where: null, before: from ?? null, after: to ?? null };
    return from === to ? [] : [{ kind: 'index' as const, ...change }];
  });
}

const nameOf = ({ columns = [] }: Partial<IndexSpec>): string =>
  `(${columns.map((part) => indexPartText(part)).join(', ')})`;

/** The other properties of an index: "unique btree including amount where amount > 5". */
const indexText = ({ unique, kind = 'btree', include, where, visible }: Partial<IndexSpec>): string =>
  [
    ...(unique ? ['unique'] : []),
    kind,
    ...(include === undefined ? [] : [`including ${include.join(', ')}`]),
    ...(where === undefined ? [] : [`where ${typeof where === 'string' ? where : JSON.stringify(where)}`]),
    ...(visible === false ? ['invisible'] : []),
  ].join(' ');

/** A value of a file on one line; null: absent. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value))
    return value.map((one: unknown) => (isMapping(one) ? `{ ${textOf(one)} }` : textOf(one))).join(', ');
  if (isMapping(value))
    return Object.entries(value)
      .map(
        ([name, one]) =>
          `${name}: ${isMapping(one) ? `{ ${textOf(one)} }` : Array.isArray(one) ? `[${textOf(one)}]` : textOf(one)}`,
      )
      .join(', ');
  return String(value);
}

/** Settings of variants in both runs, unless the experiments themselves contain the difference. */
function variantChanges(before: ComparedRun, after: ComparedRun, told: readonly RunChange[]): readonly RunChange[] {
  const isTold = (setting: string) =>
    told.some(({ kind, what }) => kind === 'workload' && what.split('.').includes(setting));
  const common = after.plan.variants.flatMap((now) => {
    const old = variantOf(before.plan, now.id);
    return old ? [{ now, old }] : [];
  });
  const found = common.flatMap(({ now, old }) =>
    differences([], old.settings, now.settings)
      .filter(({ path }) => !isTold(String(path.at(-1))))
      .map(
        (one): RunChange => ({
          kind: 'variant',
          what: one.path.join('.'),
          where: common.length === 1 ? null : now.label,
          before: textOf(one.before),
          after: textOf(one.after),
        }),
      ),
  );
  // A setting that changed alike in all variants is listed once.
  const alike = Map.groupBy(found, ({ what, before: from, after: to }) => JSON.stringify([what, from, to]));
  return [...alike.values()].flatMap((same) =>
    same.length === common.length ? same.slice(0, 1).map((one) => ({ ...one, where: null })) : same,
  );
}

/**
 * Words in names of settings, in snake case, whose values differ between any two starts of a server and never affect
 * speed.
 */
const startWords =
  /(?:^|[_\W])(?:port|socket|pid|hostname|uuid|data_?dir(?:ectory)?|base_?dir|tmp_?dir|started|uptime|resident|working_set|certificate|password|passwd|secret|token)(?:$|[_\W])|(?:_|\b)file(?:name)?$/i;

const isOfAStart = (name: string): boolean => startWords.test(name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_'));

const groups = ['durability', 'memory', 'other'] as const;

function targetChanges(before: ComparedRun, after: ComparedRun): readonly RunChange[] {
  const pairs = matched(before.targets, after.targets);
  return pairs.flatMap(({ old, now }): readonly RunChange[] => {
    const name = (now ?? old)?.name ?? '';
    if (!old || !now)
      return [{ kind: 'server', what: 'target', where: null, before: old ? name : null, after: now ? name : null }];
    const where = name;
    const named: readonly RunChange[] =
      old.name === now.name ? [] : [{ kind: 'server', what: 'target', where: null, before: old.name, after: now.name }];
    return [
      ...named,
      ...versionChanges(old, now, where),
      ...settingChanges(old, now, where),
      ...placeChanges(old, now, where),
    ];
  });
}

interface Pair {
  readonly old: ComparedTarget | undefined;
  readonly now: ComparedTarget | undefined;
}

/**
 * Targets of the same name. A single target that only one run has matches the single remaining target of the other run
 * on the same engine.
 */
function matched(before: readonly ComparedTarget[], after: readonly ComparedTarget[]): readonly Pair[] {
  const pairs = after.map((now): Pair => ({ now, old: before.find(({ name }) => name === now.name) }));
  const gone = before.filter(({ name }) => !after.some((one) => one.name === name));
  const come = pairs.filter(({ old }) => !old);
  const [only] = gone;
  if (gone.length === 1 && come.length === 1 && only && come[0]?.now?.engine === only.engine)
    return pairs.map((pair) => (pair.old ? pair : { ...pair, old: only }));
  return [...pairs, ...gone.map((old): Pair => ({ old, now: undefined }))];
}

function versionChanges(old: ComparedTarget, now: ComparedTarget, where: string): readonly RunChange[] {
  const [from, to] = [old.fingerprint, now.fingerprint];
  if (!from || !to) return [];
  const change = (what: string, before: string | null, after: string | null): readonly RunChange[] =>
    before === after ? [] : [{ kind: 'version', what, where, before, after }];
  const isNewVersion = from.version !== to.version || from.product !== to.product;
  return [
    ...(isNewVersion ? change(now.descriptor.label, from.product, to.product) : []),
    ...(isNewVersion && from.product === to.product ? change('version', from.version, to.version) : []),
    ...change('emulator', from.emulator, to.emulator),
  ];
}

/** Settings that only repeat the version. */
const repeatsVersion = /^(?:build|version|version_comment|server_version(?:_num)?|compatib\w+|git\w*)$/i;

function settingChanges(old: ComparedTarget, now: ComparedTarget, where: string): readonly RunChange[] {
  const [from, to] = [old.fingerprint, now.fingerprint];
  if (!from || !to) return [];
  const isNewVersion = from.version !== to.version;
  return groups.flatMap((group) =>
    texts(from[group], to[group])
      .filter(({ what }) => !(isNewVersion && repeatsVersion.test(what)))
      // A setting that one run lacks is no change: versions have different settings, and users may see different ones.
      .filter((one) => one.before !== null && one.after !== null)
      .map((one): RunChange => ({ kind: group === 'durability' ? group : 'setting', where, ...one })),
  );
}

/** Names whose texts differ, without settings of a server's start. */
const texts = (
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly Pick<RunChange, 'what' | 'before' | 'after'>[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((what) => before[what] !== after[what] && !isOfAStart(what))
    .map((what) => ({ what, before: before[what] ?? null, after: after[what] ?? null }));

/** Address and access of a target. The address of a managed server changes at each start. */
function placeChanges(old: ComparedTarget, now: ComparedTarget, where: string): readonly RunChange[] {
  const isManaged = [old, now].every(({ name, descriptor }) =>
    descriptor.builtIn.some(({ target }) => target === name),
  );
  const [from, to] = [lasting(old.address), lasting(now.address)];
  // Settings of a session are already among the server's settings, as seen by the session.
  const told = new Set(settingChanges(old, now, where).map(({ what }) => what));
  return [
    ...(isManaged || from === to ? [] : [{ kind: 'server', what: 'address', where, before: from, after: to } as const]),
    ...texts(old.details, now.details)
      .filter(({ what }) => ![...told].some((setting) => what.endsWith(` ${setting}`)))
      .map((one): RunChange => ({ kind: 'server', where, ...one })),
  ];
}

/** An address without ports of this machine, which tests and containers choose at random. */
const lasting = (address: string): string =>
  address.replace(/((?:127(?:\.\d{1,3}){3}|localhost|\[?::1\]?)):\d{1,5}/g, '$1');

function fileChanges(before: ComparedRun, after: ComparedRun): readonly RunChange[] {
  const [old, now] = [before.files, after.files].map((all) => new Map(all.map(({ file, sha256 }) => [file, sha256])));
  return [...(now ?? [])].flatMap(([file, sha256]) => {
    const was = old?.get(file);
    return was === undefined || was === sha256
      ? []
      : [{ kind: 'file' as const, what: file, where: null, before: was.slice(0, 12), after: sha256.slice(0, 12) }];
  });
}

/** The load hosts of a run with their processors. The environment describes only the machine that runs Dyno. */
function hostsOf({ trials }: ComparedRun): ReadonlyMap<string, string> {
  const all = trials.flatMap(({ result }) => result?.loadHosts ?? []);
  return new Map(all.map(({ name, cores }) => [name, `${cores} cores`]));
}

function loadHostChanges(before: ComparedRun, after: ComparedRun): readonly RunChange[] {
  const [old, now] = [hostsOf(before), hostsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((what) =>
    old.get(what) === now.get(what)
      ? []
      : [{ kind: 'loadHost' as const, what, where: null, before: old.get(what) ?? null, after: now.get(what) ?? null }],
  );
}

function softwareChanges(before: ComparedRun, after: ComparedRun): readonly RunChange[] {
  const [old, now] = [before.environment, after.environment];
  const software = ({ app, host, runtime }: ComparedRun['environment']): Readonly<Record<string, string>> => ({
    Dyno: app,
    'runs in': host,
    ...runtime,
  });
  return [
    ...texts(old.drivers, now.drivers).map((one): RunChange => ({ kind: 'driver', where: null, ...one })),
    ...texts(software(old), software(now)).map((one): RunChange => ({ kind: 'dyno', where: null, ...one })),
  ];
}
