import { exitCodes } from '../host/exit-codes.ts';

/** Ctrl-C (and SIGTERM, SIGHUP): the first asks politely, the second ends the process at once. */
export function onInterrupt(ask: () => void): Disposable {
  let asked = false;
  const handle = () => {
    if (asked) process.exit(exitCodes.cancelled);
    asked = true;
    ask();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, handle);
  return {
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, handle);
    },
  };
}
