import { exitCodes } from '../host/exit-codes.ts';

/** One Ctrl-C can arrive several times: from the terminal, from npm, from `timeout`, which send it to the whole group and to us again. */
const sameMs = 500;

/** Ctrl-C (and SIGTERM, SIGHUP): the first asks politely, a second one after it ends the process at once. */
export function onInterrupt(ask: () => void): Disposable {
  let askedAt: number | null = null;
  const handle = () => {
    if (askedAt === null) {
      askedAt = performance.now();
      ask();
    } else if (performance.now() - askedAt > sameMs) process.exit(exitCodes.cancelled);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, handle);
  return {
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, handle);
    },
  };
}
