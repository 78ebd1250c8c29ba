import { expect, test } from './fixtures.ts';

test('the window is sandboxed and has nothing of Node', async ({ dyno }) => {
  const preferences = await dyno.app.evaluate(({ BrowserWindow }) => {
    // Internal but stable: the preferences that Chromium uses.
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    return contents.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
  });
  const globals = await dyno.page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer', 'global', '__dirname'].filter((name) => name in globalThis),
  );
  expect(globals).toEqual([]);
  expect(await dyno.page.evaluate(() => Object.keys((window as unknown as { dyno: object }).dyno).sort())).toEqual([
    'on',
    'openDropped',
    'request',
  ]);
});

test('inline scripts, eval and other hosts are blocked by the content security policy', async ({ dyno, allowance }) => {
  allowance.cspViolations = true;
  const tried = await dyno.page.evaluate(async () => {
    const attempt = async (action: () => unknown) => {
      // A separate task, because code that the debugger evaluates may use eval despite the policy.
      await new Promise((next) => setTimeout(next));
      try {
        await action();
        return 'done';
      } catch {
        return 'blocked';
      }
    };
    const inline = document.createElement('script');
    inline.textContent = 'globalThis.inlineRan = true';
    document.body.append(inline);
    return {
      evaluated: await attempt(() => new Function('return 1')()),
      fetched: await attempt(() => fetch('https://example.com/')),
      inlineRan: 'inlineRan' in globalThis,
    };
  });
  expect(tried).toEqual({ evaluated: 'blocked', fetched: 'blocked', inlineRan: false });
});

const elsewhere = [
  'https://example.com/',
  'file:///etc/passwd',
  'app://elsewhere/index.html',
  'data:text/html,x',
  'about:blank',
  'about:srcdoc',
  'about:blank#app://dyno/',
  'javascript:document.body.remove()',
  'chrome://gpu',
  'blob:',
];

/** Each way in which a page can navigate to an address. */
const ways = ['link', 'location', 'replace', 'form', 'meta', 'frame'] as const;

test('the page cannot leave for another address', async ({ freshDyno: dyno, allowance }) => {
  allowance.cspViolations = true;
  const before = dyno.page.url();
  await dyno.page.evaluate(() => Object.assign(globalThis, { stillHere: true }));
  const loads = await dyno.app.evaluate(({ BrowserWindow }) => {
    const urls: string[] = [];
    Object.assign(globalThis, { urls });
    BrowserWindow.getAllWindows()[0]?.webContents.on('did-navigate', (_event, url) => urls.push(url));
    return urls;
  });
  expect(loads).toEqual([]);
  for (const address of elsewhere)
    for (const way of ways) {
      await dyno.page.evaluate(
        ([target, how]) => {
          const url = target === 'blob:' ? URL.createObjectURL(new Blob(['x'], { type: 'text/html' })) : target;
          const add = (name: string, names: Record<string, string>) => {
            const element = document.createElement(name);
            for (const [key, value] of Object.entries(names)) element.setAttribute(key, value);
            document.body.append(element);
            setTimeout(() => element.remove(), 50);
            return element;
          };
          try {
            if (how === 'link') add('a', { href: url }).click();
            else if (how === 'location') location.href = url;
            else if (how === 'replace') location.replace(url);
            else if (how === 'form') (add('form', { action: url, method: 'post' }) as HTMLFormElement).submit();
            else if (how === 'meta') add('meta', { 'http-equiv': 'refresh', content: `0;url=${url}` });
            else add('iframe', { src: url });
          } catch {
            // The address is refused at once.
          }
        },
        [address, way] as const,
      );
      await dyno.page.evaluate(() => new Promise((done) => setTimeout(done, 60)));
      expect(dyno.page.url(), `${address} by ${way}`).toBe(before);
    }
  // The document is the same, and no other one was shown in between.
  expect(await dyno.page.evaluate(() => 'stillHere' in globalThis && document.body !== null)).toBe(true);
  expect(await dyno.app.evaluate(() => (globalThis as unknown as { urls: string[] }).urls)).toEqual([]);
});

test('a window that shows another page all the same goes back to its own', async ({ freshDyno: dyno }) => {
  const before = dyno.page.url();
  await dyno.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]
      ?.loadURL('about:blank')
      .catch(() => {}),
  );
  await dyno.page.waitForURL(before);
  await expect(dyno.page.getByRole('navigation').first()).toBeVisible();
});

test('popups open no window; only documentation links reach the browser', async ({ dyno, allowance }) => {
  allowance.cspViolations = true;
  await dyno.app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => {
      opened.push(url);
    };
  });
  const handles = await dyno.page.evaluate(() =>
    [
      'https://example.com/',
      'http://www.postgresql.org/',
      'file:///etc/passwd',
      'https://www.postgresql.org/docs/',
      'about:blank',
      'data:text/html,x',
      'javascript:1',
      '',
      URL.createObjectURL(new Blob(['x'])),
    ].map((url) => window.open(url) === null),
  );
  expect(handles).toEqual(handles.map(() => true));
  const opened = await dyno.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
  expect(opened).toEqual(['https://www.postgresql.org/docs/']);
  expect(dyno.app.windows()).toHaveLength(1);
});

test('permissions are denied', async ({ dyno }) => {
  const state = await dyno.page.evaluate(async () => ({
    notifications: await Notification.requestPermission(),
    geolocation: (await navigator.permissions.query({ name: 'geolocation' })).state,
  }));
  expect(state).toEqual({ notifications: 'denied', geolocation: 'denied' });
});

test('a request from a foreign page is refused, even through our own preload script', async ({ freshDyno: dyno }) => {
  const answer = await dyno.app.evaluate(async ({ app, BrowserWindow }) => {
    const foreign = new BrowserWindow({
      show: false,
      webPreferences: { preload: `${app.getAppPath()}/dist/preload.cjs`, sandbox: true },
    });
    await foreign.loadURL('data:text/html,<p>foreign</p>');
    const result: unknown = await foreign.webContents.executeJavaScript(`window.dyno.request('app:info', null)`);
    foreign.destroy();
    return result;
  });
  expect(answer).toMatchObject({ ok: false, error: { kind: 'badInput', message: expect.stringContaining('refused') } });
});

test('arguments that do not fit are refused before anything is done with them', async ({ dyno }) => {
  const answers = await dyno.page.evaluate(async () => {
    const bridge = (window as unknown as { dyno: { request(channel: string, argument: unknown): Promise<unknown> } })
      .dyno;
    const unknown = await Promise.resolve()
      .then(() => bridge.request('shell:open', '/etc/passwd'))
      .catch((error: Error) => error.message);
    return {
      path: await bridge.request('experiments:read', { id: '../../../etc/passwd' }),
      extra: await bridge.request('runs:cancel', { runId: 'a', file: '/tmp/x' }),
      type: await bridge.request('experiments:check', { text: 7 }),
      recent: await bridge.request('files:reopen', { id: '/etc/passwd' }),
      draft: await bridge.request('drafts:keep', { drafts: [{ key: 1, text: 'x', file: '/tmp/x' }] }),
      unknown,
    };
  });
  for (const name of ['path', 'extra', 'type', 'recent', 'draft'] as const)
    expect(answers[name]).toMatchObject({ ok: false, error: { kind: 'badInput' } });
  expect(answers.unknown).toContain('No such request');
});

test('a page can open neither a path nor a file that it has made itself', async ({ dyno }) => {
  const answers = await dyno.page.evaluate(async () => {
    const bridge = (
      window as unknown as {
        dyno: {
          request(channel: string, argument: unknown): Promise<unknown>;
          openDropped(files: readonly unknown[]): Promise<unknown>;
        };
      }
    ).dyno;
    const refused = (action: () => Promise<unknown>) =>
      Promise.resolve()
        .then(action)
        .catch((error: Error) => error.message);
    return {
      channel: await refused(() => bridge.request('files:drop', ['/etc/hosts.yaml'])),
      path: await refused(() => bridge.openDropped(['/etc/hosts.yaml'])),
      made: await bridge.openDropped([new File(['dyno: 1'], 'made.dyno.yaml')]),
      opened: await bridge.request('files:opened', null),
    };
  });
  expect(answers.channel).toContain('No such request');
  expect(answers.path).toMatch(/File|object/);
  expect(answers.made).toEqual({ ok: true, value: null });
  expect(answers.opened).toEqual({ ok: true, value: [] });
});

test('files outside the page folder are not served', async ({ dyno }) => {
  const statuses = await dyno.page.evaluate(async () => {
    const paths = ['/../package.json', '/..%2f..%2fpackage.json', '/%2e%2e/preload.cjs', '/no-such-file.js'];
    return Promise.all(paths.map(async (path) => (await fetch(`app://dyno${path}`)).status));
  });
  expect(statuses).toEqual([404, 404, 404, 404]);
});
