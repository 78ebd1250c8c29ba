import {
  type Cannot,
  type Reproducer,
  type ScriptLanguage,
  type ScriptOffer,
  scriptLanguages,
} from '#engine-api/reproducer.ts';
import { loadReproducer } from '#engines/load-reproducer.ts';
import { DynoError } from '#model/error.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import type { Cell, Plan } from '#protocol/plan.ts';
import { driverVersions } from '../run/environment.ts';
import { catalogEntry } from '../worker/targets.ts';
import { javaScript } from './java-script.ts';
import { nodeScript } from './node-script.ts';
import { cellOf, type ReproducedCell, reproducedCell } from './reproduced-cell.ts';
import { headerText, type MeasuredCell } from './script-header.ts';

/** The cell of a script. */
export interface ReproducerRequest {
  /** The name of a target. Default: the first one. */
  readonly target?: string | undefined;
  /** The label or the id of a variant. Default: the first one that runs on the target. */
  readonly variant?: string | undefined;
  /** Default: node. */
  readonly language?: ScriptLanguage | undefined;
  /** The figures of the cell for the header. Default: the script has none. */
  readonly measured?: (cell: Cell) => MeasuredCell;
}

/** A script that repeats a cell of a plan without Dyno. Throws 'unsupported' with the reason if there can be none. */
export async function makeReproducer(plan: Plan, request: ReproducerRequest): Promise<string> {
  const words = cellOf(plan, request);
  const script = await scriptOf(plan, words, request);
  if (typeof script === 'string') return script;
  const { target, variant } = words;
  throw new DynoError('unsupported', `cannot: ${target.name}, ${variant.label}: ${script.cannot}`);
}

async function scriptOf(
  plan: Plan,
  words: ReturnType<typeof cellOf>,
  { language = 'node', measured }: Pick<ReproducerRequest, 'language' | 'measured'>,
): Promise<string | Cannot> {
  const { target, variant } = words;
  const { descriptor } = catalogEntry(target.engine);
  const reproducer = await loadReproducer(target.engine);
  if (reproducer === null) return { cannot: `There are no scripts of ${descriptor.label}.` };
  const cell = reproducedCell(plan, words, descriptor, reproducer);
  if ('cannot' in cell) return cell;
  return writers[language](cell, reproducer, {
    engine: descriptor.label,
    measured: measured?.({ target: target.name, variant: variant.id }) ?? null,
  });
}

type Writer = (
  cell: ReproducedCell,
  reproducer: Reproducer,
  about: { readonly engine: string; readonly measured: MeasuredCell | null },
) => string | Cannot;

/** The methods that JDBC has. */
const jdbcMethods: readonly MethodName[] = ['literal', 'bind', 'prepared', 'multiRow'];

const writers: Readonly<Record<ScriptLanguage, Writer>> = {
  node(cell, reproducer, about) {
    const client = reproducer.node(cell.work);
    if ('cannot' in client) return client;
    const packages = withVersions(client.packages, about.measured?.drivers ?? driverVersions());
    return nodeScript(cell, reproducer, client, headerText(cell, client, packages, about), packages);
  },
  java(cell, reproducer, about) {
    const { method } = cell.work;
    if (!jdbcMethods.includes(method))
      return { cannot: `Scripts for Java have the methods ${jdbcMethods.join(', ')}, and not ${method}.` };
    const client = reproducer.jdbc(cell.work);
    if ('cannot' in client) return client;
    const environment = [
      `JDBC_URL: the server, for example ${client.url}`,
      'JDBC_USER and JDBC_PASSWORD: the account.',
    ];
    const header = headerText(cell, { environment, notes: client.notes }, client.packages, about);
    return javaScript(cell, reproducer, client, header);
  },
};

/** All languages, with the reasons why some have no script of a cell. Throws 'badInput' for words that name no cell. */
export async function scriptOffers(plan: Plan, cell: Cell): Promise<readonly ScriptOffer[]> {
  const words = cellOf(plan, cell);
  return Promise.all(
    scriptLanguages.map(async (language) => {
      const script = await scriptOf(plan, words, { language });
      return { language, cannot: typeof script === 'string' ? null : script.cannot };
    }),
  );
}

/** A cell of a plan, and the reason why there is no script of it; null: there is one. */
interface ReproducerAnswer extends ReturnType<typeof cellOf> {
  readonly cannot: string | null;
}

/** Every cell of a plan, with the reasons why cells have no script. */
export async function reproducerAnswers(
  plan: Plan,
  language: ScriptLanguage = 'node',
): Promise<readonly ReproducerAnswer[]> {
  const answers: ReproducerAnswer[] = [];
  for (const target of plan.targets)
    for (const variant of plan.variants) {
      const script = await scriptOf(plan, { target, variant }, { language });
      answers.push({ target, variant, cannot: typeof script === 'string' ? null : script.cannot });
    }
  return answers;
}

/** Packages with their versions. A run file can contain any text, and people copy the line to a shell. */
const withVersions = (packages: readonly string[], versions: Readonly<Record<string, string>>): readonly string[] =>
  packages.map((name) => {
    const version = Object.hasOwn(versions, name) ? versions[name]! : '';
    return /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) ? `${name}@${version}` : name;
  });
