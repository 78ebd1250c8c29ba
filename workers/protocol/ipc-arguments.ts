import * as v from 'valibot';
import { scriptLanguages } from '#engine-api/reproducer.ts';
import { mostValidMinutes } from '#model/connections.ts';
import { mostRows } from '#model/dataset/dataset.ts';
import { hues } from '#model/hues.ts';
import { isMapping } from '#model/is-mapping.ts';
import { longestScript } from '#model/statements/longest-script.ts';
import { loadHostSchema } from './load-host-schema.ts';
import { reportChoicesSchema } from './report-choices.ts';
import { reportFormats } from './report-formats.ts';
import { annotationChangeSchema } from './run-annotation.ts';
import { socksSchema, sshSchema } from './tunnel-schemas.ts';

const none = v.null();
/** Replaces v.record, which would accept a list and silently omit a key `__proto__`. */
const mapping = <K extends v.GenericSchema<string>, V extends v.GenericSchema>(key: K, one: V) =>
  v.pipe(
    v.custom<Readonly<Record<string, v.InferInput<V>>>>(
      (given) => isMapping(given) && !Object.hasOwn(given, '__proto__'),
      'Must be an object.',
    ),
    v.record(key, one),
  );
/** An id of the library or the runs, which is never a path. */
const id = v.pipe(
  v.string(),
  v.regex(/^[\w.:-]{1,300}$/u),
  v.check((text) => !text.includes('..')),
);
const name = v.pipe(v.string(), v.maxLength(200));
const runId = v.strictObject({ runId: id });
/** One cell of a run. */
const runCell = { runId: id, target: name, variant: v.pipe(v.string(), v.maxLength(4_000)) };
const undo = v.strictObject({ undo: id });
/** Slightly more than the parser allows, so that the parser reports a text that is too large. */
const text = v.pipe(v.string(), v.maxLength(4_000_000));
const runsOfExperiment = v.strictObject({
  experiment: v.pipe(v.string(), v.maxLength(1_000)),
  size: v.nullable(name),
});
const password = v.pipe(v.string(), v.maxLength(20_000));
const passwords = mapping(id, mapping(name, password));
const value = v.pipe(v.string(), v.maxLength(20_000));
const draft = v.strictObject({
  id: v.nullable(id),
  name,
  engine: name,
  values: mapping(name, v.union([value, v.number(), v.boolean(), mapping(name, value)])),
  passwords: mapping(
    name,
    v.strictObject({
      place: v.union([
        v.picklist(['stored', 'ask']),
        v.strictObject({
          command: v.pipe(v.array(v.pipe(v.string(), v.maxLength(4_000))), v.maxLength(100)),
          validMinutes: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostValidMinutes))),
        }),
      ]),
      typed: v.nullable(password),
    }),
  ),
  ssh: v.exactOptional(sshSchema),
  socks: v.exactOptional(socksSchema),
  group: v.exactOptional(name),
  hue: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(hues - 1))),
  production: v.exactOptional(
    v.strictObject({
      maxConnections: v.exactOptional(v.number()),
      maxPerSecond: v.exactOptional(v.number()),
      allowWrites: v.exactOptional(v.literal(true)),
    }),
  ),
});
const typed = v.pipe(v.array(v.pipe(v.string(), v.maxLength(2_000))), v.maxLength(1_000));
const answers = { passwords, confirmed: typed, changed: typed };
const testId = id;
const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const keptDraft = v.strictObject({
  key: v.pipe(v.number(), v.safeInteger()),
  id: v.nullable(id),
  origin: v.picklist(['gallery', 'mine']),
  lineEnd: v.picklist(['\n', '\r\n']),
  savedText: text,
  text,
});
/** More drafts than a person opens; a page with more is not acting for its user. */
export const keptDrafts = v.pipe(v.array(keptDraft), v.maxLength(20));

/** The connection forms with unsaved changes, with the same limit. */
export const keptConnections = v.pipe(v.array(draft), v.maxLength(20));

/** Absolute paths of dropped files, which the preload script sends. */
export const droppedPaths = v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(4_096))), v.maxLength(20));

const fileName = v.pipe(v.string(), v.maxLength(300));

/** The report of a run, and what it contains. */
const report = v.strictObject({
  runId: id,
  ...reportChoicesSchema.entries,
  /** The comparison that ratios make. Absent: as the experiment says. */
  compare: v.exactOptional(v.picklist(['targets', 'levels'])),
});

/**
 * The requests of the page by channel (`noun:verb`), with the schemas of their arguments. The page is not trusted: no
 * handler gets an argument that does not match. `Replies` in ipc.ts has the answers.
 */
export const argumentSchemas = {
  'app:info': none,
  'app:openHome': none,
  'app:unsaved': v.strictObject({ names: v.array(fileName) }),
  'experiments:list': none,
  'experiments:gallery': none,
  'experiments:read': v.strictObject({ id }),
  'experiments:save': v.strictObject({ id: v.nullable(id), text }),
  'experiments:delete': v.strictObject({ id }),
  'experiments:restore': undo,
  'experiments:import': none,
  'experiments:export': v.strictObject({ text, name: fileName }),
  'experiments:trust': v.strictObject({ trustId: id }),
  'experiments:check': v.strictObject({ text }),
  'experiments:tableOfFile': none,
  'experiments:preview': v.strictObject({ text, table: v.string() }),
  'statements:draft': v.strictObject({
    script: v.pipe(v.string(), v.maxLength(longestScript)),
    engine: v.nullable(name),
    rows: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(mostRows)),
  }),
  'statements:try': v.strictObject({
    text,
    target: v.nullable(name),
    item: v.nullable(v.strictObject({ kind: v.picklist(['statement', 'check']), name })),
    ...answers,
  }),
  'statements:tables': v.strictObject({ text, target: name, passwords }),
  'statements:kept': v.strictObject({ text, target: name, passwords }),
  'statements:import': v.strictObject({ text, target: name, passwords }),
  'statements:importTables': v.strictObject({ text, target: name, passwords }),
  'statements:cancel': none,
  'files:opened': none,
  'files:choose': none,
  'files:recent': none,
  'files:reopen': v.strictObject({ id }),
  'drafts:keep': v.strictObject({ drafts: keptDrafts, connections: v.exactOptional(keptConnections) }),
  'drafts:list': none,
  'drafts:connections': none,
  'history:of': runsOfExperiment,
  'history:alike': runId,
  'runs:list': none,
  'runs:experiment': runId,
  'runs:start': v.strictObject({ text, ...answers }),
  'runs:resume': v.strictObject({ runId: id, ...answers }),
  'runs:advise': v.strictObject({
    text,
    target: v.nullable(name),
    budgetSeconds: v.pipe(v.number(), v.minValue(10), v.maxValue(86_400)),
    ...answers,
  }),
  'runs:cancelAdvice': none,
  'runs:endAll': none,
  'runs:pause': v.strictObject({ runId: id, paused: v.boolean() }),
  'runs:cancel': runId,
  'runs:watch': runId,
  'runs:taken': runId,
  'runs:unwatch': runId,
  'runs:annotate': v.strictObject({ runId: id, change: annotationChangeSchema }),
  'runs:delete': runId,
  'runs:restore': undo,
  'runs:import': none,
  'runs:exportReport': v.strictObject({ ...report.entries, format: v.picklist(reportFormats) }),
  'runs:printReport': report,
  'runs:openReport': runId,
  'runs:exportJournal': runId,
  'runs:scripts': v.strictObject(runCell),
  'runs:saveScript': v.strictObject({ ...runCell, language: v.picklist(scriptLanguages) }),
  'connections:list': none,
  'connections:readUrl': v.strictObject({ url: value, engine: v.nullable(name) }),
  'connections:findImports': v.strictObject({ where: v.picklist(['usual', 'file']) }),
  'connections:import': v.strictObject({
    importId: id,
    picked: v.pipe(v.array(v.strictObject({ file: index, entry: index })), v.maxLength(10_000)),
    keepPasswords: v.boolean(),
  }),
  'connections:forgetImports': none,
  'connections:judge': v.strictObject({ draft }),
  'connections:save': v.strictObject({ draft }),
  'connections:remember': v.strictObject({ passwords }),
  'connections:duplicate': v.strictObject({ id }),
  'connections:delete': v.strictObject({ id }),
  'connections:restore': undo,
  'connections:test': v.strictObject({
    testId,
    tested: v.union([v.strictObject({ draft }), v.strictObject({ id }), v.strictObject({ builtIn: name })]),
    passwords,
  }),
  'connections:clean': v.strictObject({ id, drops: v.boolean(), dropsUnsure: v.boolean(), ...answers }),
  'connections:cancelTest': v.strictObject({ testId }),
  'hosts:list': none,
  'hosts:key': none,
  'hosts:save': v.strictObject({ host: loadHostSchema, before: v.nullable(name) }),
  'hosts:delete': v.strictObject({ name }),
  'hosts:restore': undo,
  'hosts:test': v.strictObject({ testId, host: loadHostSchema }),
  'hosts:cancelTest': v.strictObject({ testId }),
  'servers:missing': none,
  'servers:install': v.strictObject({ tool: name }),
  'servers:cancelInstall': none,
  'files:save': v.strictObject({
    name: fileName,
    format: v.picklist(['svg', 'png', 'csv']),
    data: v.pipe(v.string(), v.maxLength(100_000_000)),
  }),
};

/** The name of a request. */
export type Channel = keyof typeof argumentSchemas;

type DeeplyReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeeplyReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeeplyReadonly<T[K]> }
    : T;

/** The argument of a request. */
export type Argument<C extends Channel> = DeeplyReadonly<v.InferOutput<(typeof argumentSchemas)[C]>>;
