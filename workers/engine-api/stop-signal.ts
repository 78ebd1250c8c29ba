/** The part of AbortSignal that engines use; this project includes the types of neither Node nor the browser. */
export interface StopSignal {
  /** True after the stop. */
  readonly aborted: boolean;
  /** Throws the reason of the stop, if it has happened. */
  throwIfAborted(): void;
  /** Calls the listener at the stop. It is not called for a stop in the past. */
  addEventListener(type: 'abort', listener: () => void): void;
  /** Removes a listener. */
  removeEventListener(type: 'abort', listener: () => void): void;
}
