import { parentPort } from 'node:worker_threads';
import type { Dataset } from '#model/dataset/dataset.ts';
import { toErrorData } from '#model/error.ts';
import { makePreview } from '#runner/generator/preview.ts';

/** The request of {@link createPreviews} to its thread. */
export interface PreviewRequest {
  readonly id: number;
  readonly dataset: Dataset;
  readonly rows: number;
  readonly longest: number;
}

parentPort?.on('message', ({ id, dataset, rows, longest }: PreviewRequest) => {
  try {
    parentPort?.postMessage({ id, result: { ok: true, value: makePreview(dataset, rows, longest) } });
  } catch (thrown) {
    parentPort?.postMessage({ id, result: { ok: false, error: toErrorData(thrown) } });
  }
});
