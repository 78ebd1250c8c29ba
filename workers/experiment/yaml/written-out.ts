import { isMapping } from '#model/is-mapping.ts';
import { sized } from '../schema/sizes.ts';
import { setIn } from './edit-experiment.ts';
import { readYaml } from './yaml-source.ts';

/** Parts that describe this experiment only, and no experiment that is derived from it. */
const ownParts = ['size', 'sizes', 'published', 'gallery'] as const;

/** The text with its chosen size applied and without sizes, published figures and card: another experiment's start. */
export function writtenOut(text: string): string {
  const { value } = readYaml(text);
  const inSize = sized(value);
  if (!isMapping(value) || !isMapping(inSize)) return text;
  const changed = Object.keys(value).filter((key) => inSize[key] !== value[key]);
  const added = Object.keys(inSize).filter((key) => !Object.hasOwn(value, key));
  const whole = [...changed, ...added].reduce((done, key) => setIn(done, [key], inSize[key]), text);
  return ownParts
    .filter((key) => Object.hasOwn(value, key))
    .reduce((done, key) => setIn(done, [key], undefined), whole);
}
