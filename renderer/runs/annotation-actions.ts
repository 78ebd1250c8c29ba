import type { RunEntry } from '#protocol/ipc.ts';
import { annotatedRun } from './annotation-dialog.tsx';
import { annotateRun } from './run-actions.ts';
import { runWithDifference } from './run-with-difference.ts';

/** The menu entries that name and tag a run, pin it as the baseline, and run it again with a difference. */
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
