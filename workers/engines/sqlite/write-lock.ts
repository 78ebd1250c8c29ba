/**
 * SQLite has one writer at a time and its calls block the thread: were a session to wait for another session of the
 * same process, that one could never finish its transaction. So sessions of a process queue up here, in JavaScript,
 * before they ask SQLite for its lock; between processes SQLite's busy time-out does the waiting.
 */
export interface WriteLock {
  /**
   * Runs `write` at once where no other session is inside a transaction (then synchronously), or as soon as that is so.
   */
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
