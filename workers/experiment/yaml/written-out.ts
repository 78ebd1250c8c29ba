import { isMapping } from '#model/is-mapping.ts';
import { sized } from '../schema/sizes.ts';
import { setIn } from './edit-experiment.ts';
import type { YamlSource } from './yaml-source.ts';

/** Parts that describe this experiment only, and no experiment that is derived from it. */
const ownParts = ['size', 'sizes', 'published', 'gallery'] as const;

/** The file with its chosen size applied and without sizes, published figures and card: another experiment's start. */
export function writtenOut(source: YamlSource): YamlSource {
  const { value } = source;
  const inSize = sized(value);
  if (!isMapping(value) || !isMapping(inSize)) return source;
  const changed = Object.keys(value).filter((key) => inSize[key] !== value[key]);
  const added = Object.keys(inSize).filter((key) => !Object.hasOwn(value, key));
  const whole = [...changed, ...added].reduce((done, key) => setIn(done, [key], inSize[key]), source);
  return ownParts
    .filter((key) => Object.hasOwn(value, key))
    .reduce((done, key) => setIn(done, [key], undefined), whole);
}
