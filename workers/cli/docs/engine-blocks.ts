import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { EngineOption } from '#engine-api/option.ts';
import type { Support } from '#engine-api/support.ts';
import { type CatalogEntry, catalog } from '#engines/catalog.ts';
import { formatCount } from '#model/format/format.ts';
import { methods, operations } from '#model/settings/vocabulary.ts';
import { code, codeBlock, codeList, markdownTable } from '../file-format/markdown.ts';
import { grantsOfEngine } from '../targets/grants.ts';

/** The blocks of docs/engines.md and docs/servers.md, from the engines' descriptors. */
export const engineBlocks: Readonly<Record<string, () => string>> = {
  'methods by engine': () =>
    markdownTable(
      ['engine', ...operations],
      catalog.map(({ descriptor }) => [
        descriptor.label,
        ...operations.map((operation) => codeList(Object.keys(descriptor.support[operation] ?? {})) || '–'),
      ]),
    ),
  'built-in targets': () =>
    markdownTable(
      ['target', 'engine', 'what it is'],
      catalog.flatMap(({ descriptor }) =>
        descriptor.builtIn.map(({ target, about }) => [code(target), descriptor.label, about]),
      ),
    ),
  ...Object.fromEntries(catalog.map((entry) => [`engine ${entry.descriptor.id}`, () => engineReference(entry)])),
};

function engineReference(entry: CatalogEntry): string {
  const { descriptor } = entry;
  const grants = grantsOfEngine(entry);
  const { id, driver, support, unsupportedReasons, options = [], config } = descriptor;
  const cells = operations.flatMap((operation) =>
    methods.flatMap((method) => {
      const cell = support[operation]?.[method];
      return cell ? [[code(operation), code(method), cell.implementation, limitsText(cell)]] : [];
    }),
  );
  return [
    `Engine id: \`${id}\`. Driver: ${driver}.`,
    ...titled('Methods', markdownTable(['operation', 'method', 'the real call', 'limits'], cells)),
    ...titled('Properties', markdownTable(['property', 'implementation'], properties(descriptor))),
    ...(Object.keys(unsupportedReasons).length === 0
      ? []
      : titled(
          'Not supported',
          markdownTable(
            ['what', 'why'],
            Object.entries(unsupportedReasons).map(([what, why]) => [code(what), why]),
          ),
        )),
    ...(options.length === 0
      ? []
      : titled(
          'Options',
          markdownTable(['option', 'value', 'default', 'applies to', 'what it is'], options.map(optionRow(id))),
        )),
    ...(config.length === 0
      ? []
      : titled(
          'Connection fields',
          markdownTable(
            ['key', 'label', 'value', 'what it is'],
            config.map(({ name, label, kind, choices, required, placeholder, help = '' }) => [
              code(name),
              label,
              `${choices ? codeList(choices) : kind}${required ? ', required' : ''}`,
              [help, placeholder ? `Example or default: ${placeholder}.` : ''].filter(Boolean).join(' '),
            ]),
          ),
        )),
    ...(grants === null
      ? []
      : titled('Least rights', codeBlock(grants, descriptor.statements?.language === 'sql' ? 'sql' : 'text'))),
  ].join('\n\n');
}

const titled = (title: string, text: string): readonly string[] => [`**${title}**`, text];

function limitsText({ maxRowsPerCall, maxParameters, pipelines, batches, rowLimitReason }: Support): string {
  return [
    maxRowsPerCall > 1 ? `${formatCount(maxRowsPerCall)} rows a call` : '',
    maxParameters === undefined ? '' : `${formatCount(maxParameters)} parameters`,
    pipelines ? 'several calls in flight' : '',
    batches ? 'several calls in a message' : '',
    rowLimitReason ?? '',
  ]
    .filter(Boolean)
    .join('; ');
}

function properties(descriptor: EngineDescriptor): readonly (readonly string[])[] {
  const { uuids, keyAfterLoad, removesIndexes, partitions, sortMemory, emptyCache, indexes, foreignKeys, documents } =
    descriptor;
  const { isolations, readOnlySessions } = descriptor;
  const named = (prefix: string, values: Readonly<Record<string, string>> = {}) =>
    Object.entries(values).map(([name, implementation]) => [`${prefix} \`${name}\``, implementation]);
  return [
    ['uuid', uuids.implementation],
    ['key made after the load', keyAfterLoad ?? ''],
    ['index dropped between trials on the same load', removesIndexes ?? ''],
    ['loading by several processes', descriptor.loadsInParallel ? 'Each has a session and a range of the rows.' : ''],
    ['partitions', partitions ?? ''],
    ...Object.entries(indexes ?? {}).map(([kind, { implementation, takes = {} }]) => [
      `index \`${kind}\``,
      [implementation, ...Object.entries(takes).map(([option, how]) => `\`${option}\`: ${how}`)].join('; '),
    ]),
    ['foreign keys', foreignKeys ?? ''],
    ['native documents', documents ?? ''],
    [
      'fill factor',
      [descriptor.fillFactor?.implementation, descriptor.fillFactor?.onlyOverRows].filter(Boolean).join('. '),
    ],
    ['sort memory', sortMemory?.implementation ?? ''],
    ['emptied cache', emptyCache ?? ''],
    ...named('isolation', isolations),
    ['pooler before managed servers', descriptor.pooler ?? ''],
    ['TLS of sessions', descriptor.tls ?? ''],
    ['read-only sessions', readOnlySessions ?? ''],
    ['settings of sessions', descriptor.sessionSettings?.implementation ?? ''],
    [
      'parameters of servers',
      descriptor.serverParameters?.atStart === undefined
        ? ''
        : `${descriptor.serverParameters.atStart}: ${codeList(descriptor.serverParameters.names)}`,
    ],
    [
      'parameters of your own servers',
      descriptor.serverParameters?.running
        ? `${descriptor.serverParameters.running.implementation}: ${codeList(descriptor.serverParameters.running.names)}`
        : '',
    ],
    ['statements of `setup`', (descriptor.setup?.forms ?? []).map(({ implementation }) => implementation).join('; ')],
    [
      'statements of `teardown`',
      (descriptor.setup?.teardown ?? []).map(({ implementation }) => implementation).join('; '),
    ],
    ['null as its column', descriptor.nullsAsColumn ?? ''],
    ...Object.entries(descriptor.nullBindings ?? {}).map(([name, { implementation }]) => [
      `null \`${name}\``,
      implementation,
    ]),
    ['cancelling', cancelText[descriptor.cancel]],
    ['most digits of a decimal', descriptor.mostDecimalDigits === undefined ? '' : `${descriptor.mostDecimalDigits}`],
    ['most connections', descriptor.maxConnections == null ? '' : formatCount(descriptor.maxConnections)],
  ].filter(([, implementation]) => implementation !== '');
}

const cancelText = {
  server: 'Dyno stops the running statement at the server.',
  betweenCalls: 'Dyno stops between two calls.',
  none: 'A running call cannot be stopped.',
} as const satisfies Record<EngineDescriptor['cancel'], string>;

const optionRow =
  (id: string) =>
  ({ name, choices, defaultValue, min = 0, max, cells, help }: EngineOption): readonly string[] => [
    code(`${id}.${name}`),
    choices
      ? codeList(choices)
      : typeof defaultValue === 'number'
        ? `whole number from ${formatCount(min)}${max === undefined ? '' : ` to ${formatCount(max)}`}`
        : typeof defaultValue === 'boolean'
          ? '`true` · `false`'
          : 'text',
    defaultValue === '' ? 'empty' : code(String(defaultValue)),
    cells ? codeList(cells) : 'all',
    help,
  ];
