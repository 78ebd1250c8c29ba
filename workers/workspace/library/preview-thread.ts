import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { type Previewed, previewRows } from '#protocol/preview.ts';
import { readDataset } from '#rules/dataset-file.ts';
import { previewOf } from './preview-rows.ts';
import { answerRequests } from './thread-requests.ts';

/** A request of `createPreviews` to its thread. */
export interface PreviewRequest {
  readonly text: string;
  readonly table: string;
  /** The folder of the files that the experiment names. */
  readonly folder: string;
}

/** Maximum number of characters of a value. */
const longestShown = 400;

answerRequests(async ({ text, table, folder }: PreviewRequest): Promise<Previewed> => {
  const { dataset, problems } = readDataset(readYaml(text), table);
  return dataset === null ? { problems } : { preview: await previewOf(folder, dataset, previewRows, longestShown) };
});
