import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { type Previewed, previewRows } from '#protocol/preview.ts';
import { readDataset } from '#rules/dataset-file.ts';
import { makePreview } from '#runner/generator/preview.ts';
import { answerRequests } from './thread-requests.ts';

/** A request of `createPreviews` to its thread. */
export interface PreviewRequest {
  readonly text: string;
  readonly table: string;
}

/** Maximum number of characters of a value. */
const longestShown = 400;

answerRequests(({ text, table }: PreviewRequest): Previewed => {
  const { dataset, problems } = readDataset(readYaml(text), table);
  return dataset === null ? { problems } : { preview: makePreview(dataset, previewRows, longestShown) };
});
