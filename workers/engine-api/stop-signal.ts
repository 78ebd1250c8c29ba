/** The part of AbortSignal that engines use; this project includes the types of neither Node nor the browser. */
export interface StopSignal {
  /** True from the stop on. */
  readonly aborted: boolean;
  /** Throws the reason of the stop once there was one. */
  throwIfAborted(): void;
  /** Calls the listener at the stop; never where it has been already. */
  addEventListener(type: 'abort', listener: () => void): void;
  /** No longer calls the listener. */
  removeEventListener(type: 'abort', listener: () => void): void;
}
