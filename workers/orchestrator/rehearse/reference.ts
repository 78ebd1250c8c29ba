import type { BuiltInTarget, EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Fingerprint } from '#engine-api/fingerprint.ts';

/** The product and the version of a server. */
export type Product = Pick<Fingerprint, 'product' | 'version'>;

/** A target of Dyno's own that stands for a server, and how near its version is. */
interface ChosenReference {
  readonly target: string;
  /** True if it has the product and the version of the server. */
  readonly isSame: boolean;
  /** "PostgreSQL 17". */
  readonly label: string;
}

const numbersOf = (version: string): readonly number[] => (version.match(/\d+/g) ?? []).map(Number);

/** The numbers of a version as one number, in which the first weighs most. */
const placeOf = (version: string): number => {
  const [first = 0, second = 0] = numbersOf(version);
  return first * 1_000 + second;
};

/**
 * The managed server that stands for a server: of the same product, with the same version if there is one, else with
 * the nearest version. Null: Dyno starts no server of the product on this machine. `isMissing`: not installed here.
 */
export function referenceFor(
  { builtIn }: Pick<EngineDescriptor, 'builtIn'>,
  { product, version }: Product,
  isMissing: (target: string) => boolean,
): ChosenReference | null {
  const ofProduct = builtIn.flatMap((one: BuiltInTarget) => {
    if (one.version === undefined || isMissing(one.target)) return [];
    const name = one.label.slice(0, -one.version.length).trim().toLowerCase();
    return product.toLowerCase().startsWith(name) ? [{ ...one, version: one.version }] : [];
  });
  const isSame = (own: string) => `${version}.`.startsWith(`${own}.`);
  const distance = (own: string) =>
    Math.abs(placeOf(own) - placeOf(numbersOf(version).slice(0, numbersOf(own).length).join('.')));
  const [nearest] = ofProduct.toSorted((a, b) => distance(a.version) - distance(b.version));
  const found = ofProduct.find((one) => isSame(one.version)) ?? nearest;
  return found === undefined ? null : { target: found.target, isSame: isSame(found.version), label: found.label };
}
