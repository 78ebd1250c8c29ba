import { answerRequests } from './thread-requests.ts';

/** A thread that answers by its question, and does what no thread should where it is asked for that. */
answerRequests((asked: string) => {
  if (asked === 'spin') for (;;) asked.length;
  if (asked === 'throw') throw new RangeError('too deep');
  return `${asked}!`;
});
