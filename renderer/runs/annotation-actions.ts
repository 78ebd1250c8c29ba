import type { RunEntry } from '#protocol/ipc.ts';
import { annotatedRun } from './annotation-dialog.tsx';
import { annotateRun } from './run-actions.ts';
import { runWithDifference } from './run-with-difference.ts';

/** The actions on the title, the tags and the place of a run, and its run with a difference, for menus. */
export const annotationActions = ({ id, status, isBaseline }: RunEntry) => {
  const isReadable = status !== 'unreadable';
  return [
    { id: 'annotate', label: 'Title and tags…', run: () => annotatedRun.set(id) },
    {
      id: 'pin',
      label: isBaseline ? 'Unpin as baseline' : 'Pin as baseline',
      disabled: !isReadable,
      run: () => void annotateRun(id, { isBaseline: !isBaseline }),
    },
    {
      id: 'difference',
      label: 'Run again with a difference…',
      disabled: !isReadable || status === 'running',
      run: () => runWithDifference(id),
    },
  ] as const;
};
