import * as v from 'valibot';
import { localUseKinds } from '#engine-api/config.ts';
import type { CellKey, ExclusionReasons, UnsupportedReasons } from '#engine-api/unsupported.ts';
import { indexFeatures, indexKinds } from '#model/dataset/indexes.ts';
import { uuidOrders } from '#model/dataset/uuid-order.ts';
import { probeRoles, resourceClasses } from '#model/resource.ts';
import { settingNames } from '#model/settings/settings.ts';
import { isolations, methods, nullBindings, operations } from '#model/settings/vocabulary.ts';
import { transactionControls } from '#model/statements/statement-text.ts';
import { amount, errorSchema, finite, texts } from './read-values.ts';

/** The schemas of a run file's target records: the types are those of engine-api/. */

/** Ignores keys that no rule of this version reads. */
const known = <T>(schema: v.GenericSchema) =>
  v.pipe(
    schema,
    v.transform((read) => read as T),
  );

const optionValue = v.union([v.string(), finite, v.boolean()]);
const kinds = ['uuid', 'bigint', 'text', 'decimal', 'timestamp', 'boolean', 'bytes'] as const;

const support = v.object({
  implementation: v.string(),
  maxRowsPerCall: amount,
  rowLimitReason: v.exactOptional(v.string()),
  maxParameters: v.exactOptional(amount),
  pipelines: v.exactOptional(v.boolean()),
  batches: v.exactOptional(v.boolean()),
  serverData: v.exactOptional(v.boolean()),
  direct: v.exactOptional(v.boolean()),
  mayApplyPartially: v.exactOptional(v.union([v.boolean(), v.record(v.string(), optionValue)])),
  overwrites: v.exactOptional(v.boolean()),
  uses: v.exactOptional(v.array(v.picklist(settingNames))),
  needs: v.exactOptional(v.record(v.string(), optionValue)),
});

const engineOption = v.object({
  name: v.string(),
  label: v.string(),
  help: v.string(),
  choices: v.exactOptional(v.array(v.string())),
  min: v.exactOptional(finite),
  max: v.exactOptional(finite),
  defaultValue: optionValue,
  serverKeys: v.exactOptional(v.array(v.string())),
  cells: v.exactOptional(v.array(known<CellKey>(v.string()))),
  unsupportedReasons: v.exactOptional(v.record(v.string(), known<ExclusionReasons>(texts))),
});

const configField = v.object({
  name: v.string(),
  label: v.string(),
  kind: v.picklist(['text', 'number', 'password', 'boolean', 'choice', 'map']),
  choices: v.exactOptional(v.array(v.string())),
  placeholder: v.exactOptional(v.string()),
  required: v.exactOptional(v.boolean()),
  help: v.exactOptional(v.string()),
  min: v.exactOptional(finite),
  max: v.exactOptional(finite),
  advanced: v.exactOptional(v.boolean()),
  makesFiles: v.exactOptional(v.literal(true)),
  localUse: v.union([
    v.literal('plain'),
    v.array(
      v.object({
        kind: v.picklist(localUseKinds),
        does: v.string(),
        values: v.exactOptional(v.string()),
        names: v.exactOptional(v.string()),
      }),
    ),
  ]),
});

const scriptPatterns = [
  ...(['batchEnd', 'delimiter', 'command', 'shows', 'sets', 'sleeps', 'ends', 'runs', 'sends'] as const),
  ...(['branches', 'places', 'rowsFollow', 'carriedOut'] as const),
] as const;

const readLists = [
  ...(['functions', 'qualified', 'methods', 'refused', 'refusedBeginnings', 'outlives', 'explains'] as const),
] as const;

const meeting = v.picklist(['converts', 'findsNothing', 'refuses']);

const statementLanguage = v.object({
  language: v.picklist(['sql', 'json', 'rql']),
  quoting: v.exactOptional(
    v.array(
      v.picklist([
        'backslash',
        'textBackslash',
        'eString',
        'backtick',
        'bracket',
        'dollar',
        'qString',
        'hash',
        'nested',
      ]),
    ),
  ),
  reads: v.exactOptional(
    v.object({
      heads: v.string(),
      ...v.entriesFromList(readLists, v.exactOptional(v.string())),
    }),
  ),
  undoesDdl: v.exactOptional(v.boolean()),
  callsByName: v.exactOptional(v.literal(true)),
  wholeTexts: v.exactOptional(v.string()),
  batches: v.exactOptional(v.literal(true)),
  blocks: v.exactOptional(
    v.object({
      onlyBefore: v.exactOptional(v.array(v.string())),
      notBefore: v.exactOptional(v.array(v.string())),
    }),
  ),
  beginnings: v.exactOptional(
    v.object({
      words: v.array(v.string()),
      notBehind: v.array(v.string()),
      within: v.record(v.string(), v.array(v.string())),
    }),
  ),
  scripts: v.exactOptional(
    v.object({
      client: v.string(),
      signs: v.array(v.string()),
      variable: v.exactOptional(v.literal('@')),
      ...v.entriesFromList(scriptPatterns, v.exactOptional(v.string())),
    }),
  ),
  transactionControl: v.exactOptional(v.object(v.entriesFromList(transactionControls, v.exactOptional(v.string())))),
  answersOwnTypes: v.exactOptional(v.literal(true)),
  ownParameters: v.exactOptional(v.string()),
  firstRows: v.exactOptional(v.string()),
  lookUp: v.exactOptional(v.string()),
  refusesSemicolon: v.exactOptional(v.literal(true)),
  textMeetsNumber: v.exactOptional(v.object({ literal: meeting, bound: meeting })),
  highlight: v.exactOptional(v.picklist(['PostgreSQL', 'MySQL', 'MSSQL', 'SQLite', 'PLSQL'])),
});

const descriptor = v.object({
  id: v.string(),
  label: v.string(),
  systemName: v.exactOptional(v.string()),
  driver: v.string(),
  driverPackage: v.exactOptional(v.union([v.string(), v.array(v.string())])),
  support: v.record(v.picklist(operations), v.record(v.picklist(methods), support)),
  unsupportedReasons: known<UnsupportedReasons>(texts),
  uuids: v.object({ implementation: v.string(), order: v.picklist(uuidOrders) }),
  keyAfterLoad: v.exactOptional(v.string()),
  removesIndexes: v.exactOptional(v.string()),
  loadsInParallel: v.exactOptional(v.literal(true)),
  partitions: v.exactOptional(v.string()),
  fillFactor: v.exactOptional(v.object({ implementation: v.string(), onlyOverRows: v.exactOptional(v.string()) })),
  sortMemory: v.exactOptional(
    v.object({
      implementation: v.string(),
      leastKb: amount,
      mostKb: v.exactOptional(amount),
      setting: v.exactOptional(v.object({ name: v.string(), unit: v.picklist(['kB', 'bytes']) })),
    }),
  ),
  emptyCache: v.exactOptional(v.string()),
  dropIndex: v.exactOptional(v.string()),
  ownIndexes: v.exactOptional(v.string()),
  keptStatements: v.exactOptional(v.string()),
  tableStatistics: v.exactOptional(v.string()),
  tls: v.exactOptional(v.string()),
  pooler: v.exactOptional(v.string()),
  readOnlySessions: v.exactOptional(v.string()),
  sessionSettings: v.exactOptional(
    v.object({
      implementation: v.string(),
      names: v.string(),
      values: v.exactOptional(v.string()),
      refused: v.array(v.object({ names: v.string(), why: v.string() })),
    }),
  ),
  serverParameters: v.exactOptional(
    v.object({
      atStart: v.exactOptional(v.string()),
      running: v.exactOptional(
        v.object({
          implementation: v.string(),
          right: v.string(),
          names: v.array(v.string()),
          refused: v.exactOptional(v.record(v.string(), v.string())),
        }),
      ),
      names: v.array(v.string()),
      values: v.string(),
      memory: v.record(v.string(), amount),
    }),
  ),
  setup: v.exactOptional(
    v.object({
      forms: v.array(v.object({ implementation: v.string(), shape: v.string(), makes: v.exactOptional(v.string()) })),
      teardown: v.array(v.object({ implementation: v.string(), shape: v.string() })),
      refused: v.exactOptional(v.array(v.object({ shape: v.string(), why: v.string() }))),
      statistics: v.exactOptional(v.object({ text: v.string(), leastColumns: v.number() })),
    }),
  ),
  newSessionsAreCold: v.exactOptional(v.literal(true)),
  nullsAsColumn: v.exactOptional(v.string()),
  nullBindings: v.exactOptional(
    v.record(
      v.picklist(nullBindings.filter((binding) => binding !== 'asColumn')),
      v.object({
        implementation: v.string(),
        methods: v.array(v.picklist(methods)),
        converts: v.array(v.picklist(kinds)),
      }),
    ),
  ),
  indexes: v.exactOptional(
    v.record(
      v.picklist(indexKinds),
      v.object({
        implementation: v.string(),
        takes: v.exactOptional(v.record(v.picklist(indexFeatures), v.string())),
      }),
    ),
  ),
  foreignKeys: v.exactOptional(v.string()),
  documents: v.exactOptional(v.string()),
  statements: v.exactOptional(statementLanguage),
  cancel: v.picklist(['server', 'betweenCalls', 'none']),
  oneCallPerCommit: v.exactOptional(v.string()),
  changesAtCommit: v.exactOptional(v.literal(true)),
  isolations: v.exactOptional(v.record(v.picklist(isolations), v.string())),
  maxConnections: v.nullable(amount),
  mostDecimalDigits: v.exactOptional(amount),
  inProcess: v.exactOptional(v.boolean()),
  reference: v.exactOptional(v.boolean()),
  emptyIsNull: v.exactOptional(v.boolean()),
  storesWhole: v.exactOptional(v.boolean()),
  options: v.exactOptional(v.array(engineOption)),
  config: v.array(configField),
  builtIn: v.array(
    v.object({
      target: v.string(),
      label: v.string(),
      about: v.string(),
      version: v.exactOptional(v.string()),
      onlyVersion: v.exactOptional(v.string()),
      products: v.exactOptional(v.array(v.string())),
      restartEmptiesCache: v.exactOptional(v.boolean()),
      hue: v.exactOptional(amount),
    }),
  ),
  notice: v.exactOptional(v.string()),
});

const fingerprint = v.object({
  product: v.string(),
  version: v.string(),
  emulator: v.nullable(v.string()),
  durability: texts,
  memory: texts,
  other: texts,
  cacheBytes: v.exactOptional(amount),
  pageBytes: v.exactOptional(amount),
  pooler: v.exactOptional(
    v.object({
      name: v.exactOptional(v.string()),
      shares: v.picklist(['transactions', 'sessions']),
      keepsStatements: v.boolean(),
    }),
  ),
  mayWrite: v.exactOptional(v.boolean()),
  cautions: v.exactOptional(v.array(v.object({ title: v.string(), text: v.string() }))),
  unavailable: v.array(v.string()),
});

const probeInfo = v.object({
  unit: v.picklist(['bytes', 'count', 'ms', 'us']),
  label: v.string(),
  class: v.exactOptional(v.picklist(resourceClasses)),
  role: v.exactOptional(v.picklist(probeRoles)),
});

/** The schema of a journal record's targets (journal.ts TargetRecord). */
export const targetRecordSchema = v.object({
  name: v.string(),
  engine: v.string(),
  descriptor,
  address: v.string(),
  details: texts,
  fingerprint: v.nullable(fingerprint),
  probeInfo: v.record(v.string(), probeInfo),
  error: v.nullable(errorSchema),
});
