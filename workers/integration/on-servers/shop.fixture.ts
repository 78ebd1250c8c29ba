import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import type { Home } from '#platform/paths.ts';
import type { TrialResult } from '#protocol/measurement.ts';

/** One text for all SQL engines; the emulator for Oracle needs names in the dictionary's case. */
const sql = (text: string) => ({
  ...Object.fromEntries(['sqlite', 'postgres', 'mysql', 'drda'].map((engine) => [engine, text])),
  oracle: text.replaceAll(/(?<![:{\w])(id|store|article|pieces|price)\b/g, (name) => `"${name.toUpperCase()}"`),
});

/** Three tables with references, inserts into the last one, and checks for impossible rows. */
export const shop = (targets: string, more: object = {}) =>
  JSON.stringify({
    dyno: 1,
    name: 'Shop',
    question: 'Does it sell?',
    tables: {
      stores: {
        rows: 20,
        key: 'id',
        columns: { id: { type: 'uuidSequential' }, city: { type: 'name', what: 'city' } },
      },
      articles: {
        rows: 50,
        key: 'id',
        columns: { id: { type: 'code', pattern: 'A-####' }, price: { type: 'decimal', precision: 8 } },
        indexes: [{ columns: ['price'] }],
      },
      sales: {
        rows: 300,
        key: 'id',
        columns: {
          id: { type: 'sequence' },
          store: { type: 'reference', table: 'stores', distribution: 'zipf' },
          article: { type: 'reference', table: 'articles' },
          pieces: { type: 'integer', min: 1, max: 9 },
        },
      },
    },
    workload: { operation: 'statement', method: 'bind', connections: 2, processes: 2, thinkMs: 5 },
    statements: {
      sell: {
        text: {
          ...sql('INSERT INTO {sales} (id, store, article, pieces) VALUES (:id, :store, :article, 1)'),
          mongodb:
            '{ "insert": "{sales}", "documents": [{ "_id": "$id", "store": "$store", "article": "$article", "pieces": 1 }] }',
          ravendb: "from {sales} where article = $article and store != $store and 'id' != $id",
        },
        parameters: {
          id: { type: 'newKey', table: 'sales' },
          store: { type: 'key', table: 'stores' },
          article: { type: 'key', table: 'articles', keyDistribution: 'zipf' },
        },
      },
      of_store: {
        text: {
          ...sql(
            'SELECT a.price FROM {sales} s JOIN {articles} a ON a.id = s.article JOIN {stores} t ON t.id = s.store WHERE t.id = :store',
          ),
          mongodb: '{ "find": "{sales}", "filter": { "store": "$store" } }',
          ravendb: 'from {sales} where store = $store',
        },
        parameters: { store: { type: 'key', table: 'stores' } },
      },
    },
    checks: {
      'no-store-is-unknown': {
        text: {
          ...sql('SELECT s.id FROM {sales} s LEFT JOIN {stores} t ON t.id = s.store WHERE t.id IS NULL'),
          mongodb:
            '{ "aggregate": "{sales}", "pipeline": [{ "$lookup": { "from": "{stores}", "localField": "store", "foreignField": "_id", "as": "of" } }, { "$match": { "of": { "$size": 0 } } }], "cursor": {} }',
        },
      },
      'nothing-is-bought-back': {
        text: {
          ...sql('SELECT id, pieces FROM {sales} WHERE pieces < 1'),
          mongodb: '{ "find": "{sales}", "filter": { "pieces": { "$lt": 1 } } }',
          ravendb: 'from {sales} where pieces < 1',
        },
      },
    },
    targets: [targets],
    measure: { until: { seconds: 0.5 }, repeats: 1, warmupSeconds: 0.2 },
    ...more,
  });

/** The shop whose sales are the dataset: its table has the name and comes last, as before. */
export function shopOfDataset(targets: string): string {
  const { tables, statements, ...others } = JSON.parse(shop(targets));
  const { sales, ...beside } = tables;
  delete statements.sell.parameters.id.table;
  statements.of_store.parameters.sale = { type: 'key', table: 'sales' };
  for (const [engine, text] of Object.entries<string>(statements.of_store.text))
    if (!['mongodb', 'ravendb'].includes(engine))
      statements.of_store.text[engine] = `${text} AND s.${engine === 'oracle' ? '"ID"' : 'id'} = :sale`;
  statements.of_store.text.mongodb = '{ "find": "{sales}", "filter": { "store": "$store", "_id": "$sale" } }';
  statements.of_store.text.ravendb = "from {sales} where store = $store and 'id' = $sale";
  return JSON.stringify({ ...others, tables: beside, dataset: { name: 'sales', ...sales }, statements });
}

/** Runs the experiment; resolves with the results of its trials. */
export async function runShop(home: Home, yaml: string): Promise<readonly TrialResult[]> {
  const run = await newTrustedRun({ home, yaml });
  const { results } = collect(run);
  await run.start();
  return results();
}
