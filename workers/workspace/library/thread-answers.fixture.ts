import { threadId } from 'node:worker_threads';
import { answerRequests } from './thread-requests.ts';

/** A thread that answers as its question says, including behaviour that no thread should have. */
answerRequests((asked: string) => {
  if (asked === 'spin') for (;;) asked.length;
  if (asked === 'throw') throw new RangeError('too deep');
  if (asked === 'thread') return `${threadId}`;
  return `${asked}!`;
});
