import type { Cannot } from '#engine-api/reproducer.ts';
import { loadReproducer } from '#engines/load-reproducer.ts';
import { DynoError } from '#model/error.ts';
import type { Cell, Plan } from '#protocol/plan.ts';
import { driverVersions } from '../run/environment.ts';
import { catalogEntry } from '../worker/targets.ts';
import { nodeScript } from './node-script.ts';
import { cellOf, reproducedCell } from './reproduced-cell.ts';
import { headerText, type MeasuredCell } from './script-header.ts';

/** The cell of a script. */
export interface ReproducerRequest {
  /** The name of a target. Default: the first one. */
  readonly target?: string | undefined;
  /** The label or the id of a variant. Default: the first one that runs on the target. */
  readonly variant?: string | undefined;
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
  { measured }: Pick<ReproducerRequest, 'measured'>,
): Promise<string | Cannot> {
  const { target, variant } = words;
  const { descriptor } = catalogEntry(target.engine);
  const reproducer = await loadReproducer(target.engine);
  if (reproducer === null) return { cannot: `There are no scripts of ${descriptor.label}.` };
  const cell = reproducedCell(plan, words, descriptor, reproducer);
  if ('cannot' in cell) return cell;
  const client = reproducer.node(cell.work);
  if ('cannot' in client) return client;
  const figures = measured?.({ target: target.name, variant: variant.id }) ?? null;
  const packages = withVersions(client.packages, figures?.drivers ?? driverVersions());
  const header = headerText(cell, client, packages, { engine: descriptor.label, measured: figures });
  const script = nodeScript(cell, reproducer, client, header, packages);
  return script ?? { cannot: 'Its statement of several rows has a first row of another form.' };
}

/** A cell of a plan, and the reason why there is no script of it; null: there is one. */
interface ReproducerAnswer extends ReturnType<typeof cellOf> {
  readonly cannot: string | null;
}

/** Every cell of a plan, with the reasons why cells have no script. */
export async function reproducerAnswers(plan: Plan): Promise<readonly ReproducerAnswer[]> {
  const answers: ReproducerAnswer[] = [];
  for (const target of plan.targets)
    for (const variant of plan.variants) {
      const script = await scriptOf(plan, { target, variant }, {});
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
