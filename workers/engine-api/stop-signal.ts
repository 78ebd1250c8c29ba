/** The part of AbortSignal that engines use; this project includes the types of neither Node nor the browser. */
export interface StopSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
