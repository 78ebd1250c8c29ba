import { DynoError } from '#model/error.ts';

const most = 1_000_000;

/** A whole number below `limit` that nobody can know in advance. */
export const surprise = (limit = most): number => Math.floor(Math.random() * limit);

/** The error of an answer that no server of the product gives. */
export const noServer = (label: string): DynoError =>
  new DynoError('other', `What answers is no ${label}: it says yes, and does not do the work.`, {
    code: 'noServer',
    hint: 'Is it the port of another service, of a proxy, or of a stand-in for tests?',
  });

/**
 * Has a server add two numbers; see Database.prove(). `add` resolves with the answer, whatever it is.
 * @throws DynoError 'other' where the answer is not their sum.
 */
export async function proveBySum(label: string, add: (a: number, b: number) => Promise<unknown>): Promise<void> {
  const [a, b] = [surprise(), surprise()];
  if (Number(await add(a, b)) !== a + b) throw noServer(label);
}
