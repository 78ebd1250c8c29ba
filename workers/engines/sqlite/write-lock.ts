/**
 * SQLite has one writer at a time, and its calls block the thread: if a session waited for another session of the same
 * process, that one could never finish its transaction. So sessions of a process queue here, in JavaScript, before they
 * ask SQLite for its lock. Between processes SQLite's busy time-out waits.
 */
export interface WriteLock {
  /** Runs `write` at once (and synchronously) if no other session is in a transaction, else as soon as none is. */
  enter<T>(owner: object, write: () => T): T | Promise<T>;
  hold(owner: object): void;
  release(owner: object): void;
}

export function createWriteLock(): WriteLock {
  let holder: object | null = null;
  const queue: (() => void)[] = [];
  const later = async <T>(owner: object, write: () => T): Promise<T> => {
    while (holder !== null && holder !== owner) await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return write();
    } finally {
      if (holder === null) queue.shift()?.();
    }
  };
  return {
    enter: (owner, write) => (holder === null || holder === owner ? write() : later(owner, write)),
    hold(owner) {
      holder = owner;
    },
    release(owner) {
      if (holder !== owner) return;
      holder = null;
      queue.shift()?.();
    },
  };
}
