import { expect, test } from 'vitest';
import type { Session } from '#engine-api/session.ts';
import { ControlChannel } from './control-channel.ts';

/** A session whose cancels are answered one by one. */
function cancelledSession() {
  const cancels: PromiseWithResolvers<void>[] = [];
  const session: Pick<Session, 'cancel'> = {
    cancel() {
      const answer = Promise.withResolvers<void>();
      cancels.push(answer);
      return answer.promise;
    },
  };
  return { session: session as Session, cancels };
}

test('a stop cancels the open sessions, and closing them waits for the answers of all cancels', async () => {
  const channel = new ControlChannel();
  const { session, cancels } = cancelledSession();
  channel.sessions = () => [session];
  channel.stop(true);
  channel.stop(true);
  let isReleased = false;
  const released = channel.releaseSessions().then(() => {
    isReleased = true;
  });
  cancels[1]!.reject(new Error('The server is gone.'));
  await new Promise(setImmediate);
  expect([cancels.length, isReleased]).toEqual([2, false]);
  cancels[0]!.resolve();
  await released;
});

test('a stop cancels nothing once the calls of the sessions are over', async () => {
  const channel = new ControlChannel();
  const { session, cancels } = cancelledSession();
  channel.sessions = () => [session];
  await channel.releaseSessions();
  channel.stop(true);
  expect(cancels).toEqual([]);
});
