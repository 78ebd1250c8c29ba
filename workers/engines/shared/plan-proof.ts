import { DynoError } from '#model/error.ts';

const proofs = new WeakMap<object, Promise<boolean>>();

/**
 * Proves, once for each connection, that its server makes plans without executing statements. `isPlan` asks for the
 * plan of a query that changes nothing, and returns true if the answer is a plan. A server or proxy that ignores the
 * request would execute the statement instead.
 * @throws DynoError 'unsupported' if the answer is no plan, and the errors of `isPlan`: the statement is then not sent.
 */
export async function provePlans(connection: object, product: string, isPlan: () => Promise<boolean>): Promise<void> {
  let proof = proofs.get(connection);
  if (!proof) {
    proof = isPlan();
    proofs.set(connection, proof);
    // The next request for a plan tries again.
    proof.catch(() => proofs.delete(connection));
  }
  if (!(await proof)) throw noPlans(product);
}

/** The error if the answer to a harmless query, which the server was asked to explain, is no plan. */
export const noPlans = (product: string): DynoError =>
  new DynoError(
    'unsupported',
    `This server tells no plans as ${product} does: asked for the plan of a harmless query, it answered something else. It might execute what it is asked to explain, so it is sent no statement for its plan.`,
  );
