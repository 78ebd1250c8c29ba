import { expect, onTestFinished, test, vi } from 'vitest';
import { answeringThread } from './thread-answers.ts';

vi.setConfig({ testTimeout: 60_000 });

function thread(limitMs = 30_000, endsAtOnce = false) {
  const made = answeringThread<string, string>({
    file: new URL('./thread-answers.fixture.ts', import.meta.url),
    what: 'The work',
    limitMs,
    hint: 'Ask for less.',
    endsAtOnce,
  });
  onTestFinished(made.close);
  return made;
}

test('requests are answered one after the other, and what is thrown crosses as data', async () => {
  const { ask } = thread();
  const all = await Promise.allSettled(['a', 'throw', 'b'].map(ask));
  expect(all).toMatchObject([
    { value: 'a!' },
    { reason: { data: { kind: 'internal', message: 'too deep' } } },
    { value: 'b!' },
  ]);
});

test('a thread that never answers is ended at the limit, and the next request is answered by another', async () => {
  const { ask } = thread(3_000);
  const [spin, next] = await Promise.allSettled([ask('spin'), ask('next')]);
  expect(spin).toMatchObject({
    reason: { data: { kind: 'timeout', message: 'The work took longer than 3 s.', hint: 'Ask for less.' } },
  });
  expect(next).toMatchObject({ value: 'next!' });
});

test('what is given up is cancelled at once, also where the thread is at work on it', async () => {
  const { ask, cancel } = thread();
  const both = Promise.allSettled([ask('spin'), ask('a')]);
  await cancel('Nobody waits.');
  expect(await both).toMatchObject([
    { reason: { data: { kind: 'cancelled' } } },
    { reason: { message: 'Nobody waits.' } },
  ]);
  expect(await ask('b')).toBe('b!');
});

test('a thread that ends at once answers all that is asked, and each new request after its end has a new one', async () => {
  const { ask } = thread(30_000, true);
  const [first, second] = await Promise.all([ask('thread'), ask('thread')]);
  expect(second).toBe(first);
  expect(await ask('thread')).not.toBe(first);
  const kept = thread();
  expect(await kept.ask('thread')).toBe(await kept.ask('thread'));
});
