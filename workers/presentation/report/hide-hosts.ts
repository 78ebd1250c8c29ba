import { findCaveats } from '#analysis/caveats/find-caveats.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { settingNames, settingSchemas } from '#model/settings/settings.ts';
import { alternatives, shapeOf } from '#model/shape.ts';
import { literalPattern } from '#model/text/literal-pattern.ts';
import { tunnelDetails } from '#model/tunnel.ts';
import type { History } from '#protocol/history.ts';
import type { TargetRecord } from '#protocol/journal.ts';

/** A text without the names of hosts, users, databases and files. */
type TextHider = (text: string) => string;

/** A run whose names of hosts, users, databases and files are hidden, and the function that hid them. */
interface HiddenHosts {
  readonly run: RunModel;
  readonly hide: TextHider;
}

/**
 * Replaces the addresses, the names of hosts, users, databases and load hosts, and the paths in all texts of a run:
 * settings, errors, plans of queries, the experiment and its file. A name becomes the same words everywhere (“host 1”),
 * so that readers can still tell two servers apart. The names come from the connections of the run; texts also lose
 * every IP address and absolute path. `ownNames`: further names, such as that of this machine.
 */
export function hideHosts(model: RunModel, ownNames: readonly string[] = []): HiddenHosts {
  const hide = hiderOf(namesIn(model, ownNames), ownWords(model));
  const { caveats: _, ...facts } = model;
  const hidden = hiddenIn(facts, hide) as typeof facts;
  const run = {
    ...hidden,
    runId: model.runId.slice(0, runIdTimeLength),
    targets: model.targets.map((target, i) => ({
      ...hidden.targets[i]!,
      address: hiddenAddress(target, hide),
      details: {
        ...Object.fromEntries(
          Object.entries(hidden.targets[i]!.details).filter(([name]) => kindOfDetail(name) === null),
        ),
        ...hiddenTunnel(target.details),
      },
    })),
  };
  return { run: { ...run, caveats: findCaveats(run) }, hide };
}

/**
 * Words of the experiment itself, in lower case: its tables, columns, statements and so on, the columns of its answers,
 * and Dyno’s values of settings. Where a user or a database has one of these names, the experiment needs the word.
 */
function ownWords({ plan, trials }: RunModel): ReadonlySet<string> {
  const { experiment } = plan;
  const tables = [experiment.dataset, ...Object.values(experiment.tables ?? {})].filter((one) => one !== undefined);
  const named = [experiment.tables, experiment.statements, experiment.transactions, experiment.scenarios];
  const words = [
    ...[...named, experiment.checks, experiment.setup, experiment.teardown, experiment.factors].flatMap((part) =>
      Object.keys(part ?? {}),
    ),
    ...tables.flatMap(({ columns }) => Object.keys(columns)),
    ...Object.values(experiment.statements ?? {}).flatMap(({ parameters }) => Object.keys(parameters ?? {})),
    ...plan.variants.flatMap(({ levels }) => Object.values(levels).map(String)),
    ...trials.flatMap(({ result }) => (result?.checks ?? []).flatMap(({ found }) => found?.columns ?? [])),
    ...settingNames.flatMap((name) => [
      name,
      ...alternatives(shapeOf(settingSchemas[name])).flatMap(({ options = [] }) => options.map(String)),
    ]),
  ];
  return new Set(words.map((word) => word.toLowerCase()));
}

/** A history without these names. */
export function hiddenHistory(history: History, hide: TextHider): History {
  const hidden = hiddenIn(history, hide) as History;
  const runs = hidden.runs.map((run, i) => ({ ...run, id: history.runs[i]!.id.slice(0, runIdTimeLength) }));
  return { ...hidden, runs };
}

/** An address without names, from which a reader still sees whether the server was on this machine. */
export function hiddenAddress({ address, descriptor }: TargetRecord, hide: TextHider): string {
  if (descriptor.inProcess) return hide(address);
  if (address.startsWith('/')) return '/socket';
  const hosts = [...new Set(partsOf(address).flatMap(([name, kind]) => (kind === 'host' ? [name] : [])))];
  const whole = hosts.filter((name) => !hosts.some((host) => host.startsWith(`${name}.`)));
  return whole.map((name) => (isLoopback.test(name) ? 'localhost' : hide(name))).join(', ');
}

const isLoopback = /^(localhost|::1|127(\.\d+){3})$/i;

/** The details that tell the kind of a target's tunnel, without its names. */
export const hiddenTunnel = (details: TargetRecord['details']): TargetRecord['details'] =>
  Object.fromEntries(tunnels.flatMap((name) => (Object.hasOwn(details, name) ? [[name, '–']] : [])));

const tunnels: readonly string[] = Object.values(tunnelDetails);

/** A run's id begins with its date and time; the name of the experiment follows. */
const runIdTimeLength = 15;

type NameKind = 'host' | 'user' | 'database' | 'file' | 'name';

const detailKinds: readonly (readonly [RegExp, NameKind])[] = [
  [/user|principal|login|owner/i, 'user'],
  [/database|schema|keyspace|catalog/i, 'database'],
  [/host|server|service|instance|domain|replicaset|proxy|url/i, 'host'],
  [/path|file|certificate|folder|key$/i, 'file'],
];

const kindOfDetail = (name: string): NameKind | null =>
  detailKinds.find(([pattern]) => pattern.test(name))?.[1] ?? null;

/** The names to hide, each with its kind. */
function namesIn(model: RunModel, ownNames: readonly string[]): ReadonlyMap<string, NameKind> {
  const found = new Map<string, NameKind>();
  const add = (name: string, kind: NameKind) => {
    if (name.length >= 2 && !/^\d+$/.test(name) && !isEverywhere(model, name) && !found.has(name))
      found.set(name, kind);
  };
  for (const { address, details, descriptor } of model.targets) {
    for (const [name, value] of Object.entries(details)) {
      const kind = kindOfDetail(name);
      if (tunnels.includes(name)) for (const part of partsOf(value)) add(...part);
      else if (kind !== null) add(value, kind);
    }
    if (descriptor.inProcess) add(address, 'file');
    else for (const part of partsOf(address)) add(...part);
  }
  for (const { file } of model.files) add(file, 'file');
  for (const { result, loadHosts } of model.trials)
    for (const { name } of [...loadHosts, ...(result?.loadHosts ?? [])]) if (name !== 'local') add(name, 'host');
  for (const name of ownNames) add(name, 'name');
  return found;
}

/** Words of addresses that are no names: those of Dyno ("db through SSH me@jump") and of Oracle ("(HOST=db)"). */
const addressWords =
  /^(through|ssh|socks5?h?|jump|hosts|description|address(_list)?|protocol|tcps?|host|port|connect_data|service_name|sid|server|dedicated|shared|pooled)$/i;

/** The names in an address: "me@db1.example.com:5432/shop" has a user, a host and its first label, and a database. */
function partsOf(address: string): readonly (readonly [name: string, kind: NameKind])[] {
  return address.split(/[\s,;()=]+/).flatMap((part): readonly (readonly [string, NameKind])[] => {
    if (/^\d*$/.test(part) || addressWords.test(part)) return [];
    if (/^([/~.]|[A-Za-z]:\\)/.test(part)) return [[part, 'file']];
    const [, rest = part] = /^[a-z][a-z0-9+.-]*:\/\/(.*)$/i.exec(part) ?? [];
    const [place = '', ...paths] = rest.split('/');
    const [, user] = /^([^@:]*)(?::[^@]*)?@/.exec(place) ?? [];
    const host = place
      .replace(/^.*@/, '')
      .replace(/^srv:/, '')
      .replace(/:\d+$/, '')
      .replace(/^\[|\]$/g, '');
    const [label = ''] = host.split('.');
    return [
      ...(user === undefined ? [] : [[user, 'user'] as const]),
      [host, 'host'],
      ...(!/^[\d.:]+$/.test(host) && isDistinct(label) ? [[label, 'host'] as const] : []),
      ...paths.map((path) => [path.replace(/\?.*$/, ''), 'database'] as const),
    ];
  });
}

/** True for a first label of a host that is no usual word: “db7”, “orders”, but not “app”. */
const isDistinct = (label: string): boolean => label.length >= 5 || /^(?=.*[\d-])[\w-]{3,}$/.test(label);

/**
 * True for names that every installation has, and for words of Dyno itself: they identify nobody, and the texts of a
 * report need them.
 */
const isEverywhere = ({ plan }: RunModel, name: string): boolean =>
  /^(dyno|local|localhost|127\.0\.0\.1|::1|this process|postgres|root|sa|sys|system|admin|test|public|master|mysql|default|memory|:memory:)$/i.test(
    name,
  ) || plan.targets.some(({ engine }) => engine.toLowerCase() === name.toLowerCase());

/** Texts that look like a name by themselves. */
const looks: readonly (readonly [NameKind, string])[] = [
  // A path of at least two names, a path in the home, a drive or a share of Windows.
  ['file', String.raw`(?<![\w./:])~?(?:/[\w.@+-]+){2,}/?`],
  ['file', String.raw`\b[A-Za-z]:\\[^\s"'<>|]+|\\\\[\w.-]+\\[^\s"'<>|]+`],
  // Not 127.0.0.1, and not a part of a longer version.
  [
    'host',
    String.raw`(?<![\d.])(?!127\.0\.0\.1)(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])`,
  ],
  [
    'host',
    String.raw`(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}(?![\w:])|(?<![\w:"')\]])(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}(?![\w:])`,
  ],
  // A name of a host with its port.
  ['host', String.raw`\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?=:\d{2,5}\b)`],
];

/** A word that a text uses as the name of a user or a database: `user=a`, “database "a"”, a@db1, db1:5432/a. */
const asUserOrDatabase = (name: string): string =>
  String.raw`(?<=\b(?:user(?: ?name)?|role|login|principal|owner|database|dbname|schema|keyspace|catalog)["']?\s?[:=]?\s?["']?|:\d{1,5}/)${name}(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])${name}(?=["']?@)`;

/**
 * Each name gets a number of its kind when it first appears. A user or a database that is named like one of `ownWords`
 * is hidden only where a text uses the word as such.
 */
function hiderOf(names: ReadonlyMap<string, NameKind>, ownWords: ReadonlySet<string>): TextHider {
  const kinds = new Map([...names].map(([name, kind]) => [name.toLowerCase(), kind]));
  const labels = new Map<string, string>();
  const counts = new Map<NameKind, number>();
  const labelOf = (name: string, kind: NameKind): string => {
    const key = `${kind} ${name.toLowerCase()}`;
    const known = labels.get(key);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const label = `${kind} ${count}`;
    labels.set(key, label);
    return label;
  };
  for (const [name, kind] of names) labelOf(name, kind);
  const isShared = (name: string) =>
    ['user', 'database'].includes(names.get(name)!) && ownWords.has(name.toLowerCase());
  const known = [...names.keys()].sort((a, b) => b.length - a.length);
  const alone = known.filter((name) => !isShared(name)).map(literalPattern);
  const patterns = [
    ...(alone.length > 0 ? [String.raw`(?<![\p{L}\p{N}_])(?:${alone.join('|')})(?![\p{L}\p{N}_])`] : []),
    ...known.filter(isShared).map((name) => asUserOrDatabase(literalPattern(name))),
  ];
  const words = patterns.length === 0 ? null : new RegExp(patterns.join('|'), 'giu');
  const shapes = looks.map(([kind, pattern]) => [kind, new RegExp(pattern, 'gi')] as const);
  return (text) =>
    shapes.reduce(
      (changed, [kind, shape]) => changed.replace(shape, (name) => labelOf(name, kind)),
      words === null ? text : text.replace(words, (name) => labelOf(name, kinds.get(name.toLowerCase()) ?? 'name')),
    );
}

/** Members whose texts are Dyno's own words, encoded histograms or versions. No connection's name can be in them. */
const keptMembers: ReadonlySet<string> = new Set([
  ...['descriptor', 'environment', 'probeInfo', 'engine', 'settings', 'kind', 'status', 'product', 'version'],
  ...['service', 'commit', 'opened', 'response', 'sinceStart', 'startError', 'wait', 'histogram', 'durations'],
  ...['intended', 'added', 'startedAt', 'endedAt'],
]);
/** Members that are an encoded histogram in some records, and a count in others. */
const isHistogram = (name: string, value: unknown): boolean => name === 'failed' && typeof value === 'string';

/** A copy with every text changed, at any depth. */
function hiddenIn(value: unknown, hide: TextHider): unknown {
  if (typeof value === 'string') return hide(value);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) {
    // The series of a long trial are arrays of numbers, which need no copy.
    return typeof value[0] === 'number' && typeof value.at(-1) === 'number'
      ? value
      : value.map((one) => hiddenIn(one, hide));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      keptMembers.has(name) || isHistogram(name, one) ? one : hiddenIn(one, hide),
    ]),
  );
}
