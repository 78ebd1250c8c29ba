import { tableOfFile } from './table-of-file.ts';
import { answerRequests } from './thread-requests.ts';

/** A request of `createRowFiles` to its thread: the path of a file, and its name in an experiment. */
export interface RowFileRequest {
  readonly path: string;
  readonly file: string;
}

answerRequests(({ path, file }: RowFileRequest) => tableOfFile(path, { file }));
