import { experimentTools } from './experiment-tools.ts';
import { resultTools } from './result-tools.ts';
import { runTools } from './run-tools.ts';
import { targetTools } from './target-tools.ts';
import type { Tool } from './tool.ts';

/** The tools of a server that only reads. */
export const readingTools: readonly Tool[] = [...experimentTools, ...targetTools, ...resultTools];

/** The tools that a server also has where the user has allowed runs. */
export { runTools };
