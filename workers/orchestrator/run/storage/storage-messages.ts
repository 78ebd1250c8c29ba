import type { ErrorData } from '#model/error.ts';
import type { PartTimes, StorageFigures } from './measure-storage.ts';

export interface ToStorageProcess {
  readonly file: string;
  readonly times: PartTimes;
}

export type FromStorageProcess =
  | { readonly type: 'measured'; readonly figures: StorageFigures }
  | { readonly type: 'failed'; readonly error: ErrorData };
