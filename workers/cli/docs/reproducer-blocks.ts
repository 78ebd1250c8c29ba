import { type ScriptLanguage, scriptLanguages } from '#engine-api/reproducer.ts';
import { catalog } from '#engines/catalog.ts';
import { loadReproducer } from '#engines/load-reproducer.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { methods, tableOperations } from '#model/settings/vocabulary.ts';
import { reproducerAnswers } from '#orchestrator/reproducer/make-reproducer.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { markdownTable } from '../file-format/markdown.ts';

/** Every operation by every method on a table with a key; methods of several rows send eight. */
const levels = Object.fromEntries(
  tableOperations.flatMap((operation) =>
    methods.map((method) => {
      const isSingle = ['literal', 'bind', 'prepared', 'pipelined', 'batch'].includes(method);
      return [`${operation} by ${method}`, { operation, method, ...(!isSingle && { rowsPerCall: 8 }) }];
    }),
  ),
);

const experimentOn = (target: string): string =>
  JSON.stringify({
    ...{ dyno: 1, name: 'cells', question: 'Which cells have scripts?', targets: [target] },
    dataset: { rows: 1_000, key: 'id', columns: { id: { type: 'uuid4' }, note: { type: 'text', length: 20 } } },
    workload: { operation: 'insert' },
    factors: { cell: levels },
  });

/** The rows of an engine: the cells that have scripts, then those that have none, by their reasons. */
async function rowsOf(
  id: string,
  label: string,
  target: string,
  language: ScriptLanguage,
): Promise<readonly (readonly string[])[]> {
  if ((await loadReproducer(id)) === null)
    return [[label, language, 'all', 'cannot: There are no scripts of this engine.']];
  const { plan } = planExperiment(parseFile(readYaml(experimentOn(target))), planContext());
  if (plan === null) throw new Error(`The cells of ${target} cannot be planned.`);
  const answers = await reproducerAnswers(plan, language);
  const own = answers.filter(({ variant }) => !plan.skipped.some((cell) => cell.variant === variant.id));
  const groups = Map.groupBy(own, ({ cannot }) => cannot);
  const reasons = [...groups.keys()].sort((a, b) => Number(a !== null) - Number(b !== null));
  return reasons.map((reason) => {
    const byOperation = Map.groupBy(groups.get(reason)!, ({ variant }) => variant.settings.operation);
    const words = [...byOperation].map(
      ([operation, cells]) => `${operation}: ${cells.map(({ variant }) => variant.settings.method).join(', ')}`,
    );
    return [label, language, words.join('; '), reason === null ? 'script' : `cannot: ${reason}`];
  });
}

const engines = catalog.filter(({ descriptor }) => descriptor.id !== 'noop');
const rows = await Promise.all(
  engines.flatMap(({ descriptor: { id, label, builtIn } }) =>
    scriptLanguages.map((language) => rowsOf(id, label, builtIn[0]?.target ?? '', language)),
  ),
);

/** The block of docs/reproducer.md. */
export const reproducerBlocks: Readonly<Record<string, () => string>> = {
  'reproducer cells': () => markdownTable(['engine', 'language', 'work', 'script'], rows.flat()),
};
