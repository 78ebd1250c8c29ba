import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pidsBelow, procOf } from '#platform/processes.fixture.ts';

// The part of `npm run bench -- window` that times the start of the window's program. It does not use Playwright, whose
// work would be measured as well.

const root = fileURLToPath(new URL('..', import.meta.url));

interface Start {
  /** The time from the start of the program until the button of the first start is painted and can be pressed. */
  readonly ms: number;
  /** The processor time of all processes of the window by then; null without /proc. */
  readonly cpuMs: number | null;
}

/** Starts the window in a home, measures, and ends it. */
export async function startWindow(electron: string, home: string): Promise<Start> {
  const startedAt = Date.now();
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(electron, [root, ...asRoot, '--remote-debugging-port=0'], {
    env: { ...process.env, DYNO_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  try {
    const shownAt = await shownTime(await devToolsOf(child.stderr));
    return { ms: shownAt - startedAt, cpuMs: child.pid === undefined ? null : cpuMsOf(child.pid) };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** The address that Chromium prints. */
async function devToolsOf(stderr: NodeJS.ReadableStream): Promise<string> {
  let said = '';
  for await (const text of stderr) {
    said += String(text);
    const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
    if (address === undefined) continue;
    stderr.resume();
    return address;
  }
  throw new Error(`The window did not start:\n${said}`);
}

/** Resolves in the page when the button can be pressed and a frame with it has been painted; rejects elsewhere. */
const whenShown = `new Promise((shown, failed) => {
  if (location.protocol !== 'app:') return failed(new Error('not the page yet'));
  const look = () =>
    [...document.querySelectorAll('button')].some((button) => /^Run the insert comparison/.test(button.textContent))
      ? requestAnimationFrame(() => setTimeout(() => shown(Date.now())))
      : requestAnimationFrame(look);
  look();
})`;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly targetInfo: { readonly type: string } };
  readonly result?: { readonly exceptionDetails?: unknown; readonly result?: { readonly value?: unknown } };
}

/** The time at which the page's button appeared, in ms since 1970. */
async function shownTime(address: string): Promise<number> {
  const socket = new WebSocket(address);
  await new Promise((opened) => socket.addEventListener('open', opened, { once: true }));
  const page = Promise.withResolvers<string>();
  const answers = new Map<number, (answer: Message) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) answers.get(message.id)?.(message);
    else if (message.method === 'Target.attachedToTarget' && message.params?.targetInfo.type === 'page')
      page.resolve(message.params.sessionId);
  });
  let lastId = 0;
  const ask = (method: string, params: object, sessionId?: string) =>
    new Promise<Message>((answered) => {
      answers.set(++lastId, answered);
      socket.send(JSON.stringify({ id: lastId, method, params, sessionId }));
    });
  try {
    void ask('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    const sessionId = await page.promise;
    for (;;) {
      const evaluated = { expression: whenShown, awaitPromise: true, returnByValue: true };
      const { result } = await ask('Runtime.evaluate', evaluated, sessionId);
      const at = result?.result?.value;
      if (result?.exceptionDetails === undefined && typeof at === 'number') return at;
    }
  } finally {
    socket.close();
  }
}

/** Processor time of a process and its children, ms (Linux); null elsewhere. */
function cpuMsOf(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const ticksPerSecond = 100;
  const ticks = [pid, ...pidsBelow(pid)].reduce((sum, one) => sum + (procOf(one)?.cpu ?? 0), 0);
  return (ticks * 1_000) / ticksPerSecond;
}
