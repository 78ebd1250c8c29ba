import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment, TargetSpec } from '#experiment/schema/experiment.ts';
import { builtInOf, missingFields, productOf } from '#rules/targets/target-fields.ts';

/** An engine, or one of its products that Dyno starts, as a target of every experiment of the gallery. */
export interface GalleryTarget {
  /** Id of the engine; the target's name if Dyno starts several products of the engine. */
  readonly id: string;
  readonly label: string;
  readonly engine: EngineDescriptor;
  /** Name of the built-in target; null: Dyno cannot start the engine, and needs a server of yours. */
  readonly target: string | null;
  /** Its name in a plan. */
  readonly name: string;
  readonly spec: string | TargetSpec;
}

/** The products that Dyno starts, and a server of the user's own for each other engine; no references. */
export const galleryTargets = (catalog: readonly EngineDescriptor[]): readonly GalleryTarget[] =>
  catalog.filter(({ reference }) => !reference).flatMap(targetsOfEngine);

function targetsOfEngine(engine: EngineDescriptor): readonly GalleryTarget[] {
  const { id, label, builtIn, config } = engine;
  const products = builtIn.filter(({ version }) => version === undefined);
  if (products.length > 0)
    return products.map((one) => ({
      ...(products.length === 1 ? { id, label } : { id: one.target, label: one.label }),
      ...{ engine, target: one.target, name: one.target, spec: one.target },
    }));
  // No connection is made, so that required fields may have any value.
  const fields = Object.fromEntries(missingFields(config, {}).map(({ name }) => [name, 'any']));
  return [{ id, label, engine, target: null, name: id, spec: { name: id, engine: id, ...fields } }];
}

/** The targets of an experiment that are this product, in any version and with any options. */
export const listedOf = (
  { targets }: Pick<Experiment, 'targets'>,
  { engine, target }: GalleryTarget,
): readonly (string | TargetSpec)[] =>
  targets.filter((spec) => {
    if (typeof spec !== 'string' && spec.engine !== engine.id) return false;
    const builtIn = builtInOf(spec, engine);
    if (target === null) return typeof spec !== 'string';
    return builtIn !== null && productsOf(target, engine).includes(productOf(builtIn.target));
  });

/** A built-in target of several products starts whichever of them is installed. */
const productsOf = (target: string, { builtIn }: EngineDescriptor): readonly string[] =>
  builtIn.find((one) => one.target === target)?.products ?? [productOf(target)];
