import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { quick, slow } from '#integration/results/small-experiments.fixture.ts';
import type { ConnectionList } from '#model/connections.ts';
import { violations } from './axe.ts';
import { ownClipboard } from './clipboard.ts';
import type { DynoApp } from './dyno-app.ts';
import { expect, test } from './fixtures.ts';
import { runIds } from './journal.ts';
import { type ManagedServer, startManagedServer } from './managed-server.ts';

let server: ManagedServer;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  server = await startManagedServer();
});
test.afterAll(() => server?.close());

/** Simulates a keyring, which test machines lack, with Chromium's own cipher. */
async function withKeyring({ app, page }: DynoApp): Promise<void> {
  await app.evaluate(({ safeStorage }) => {
    safeStorage.setUsePlainTextEncryption(true);
    safeStorage.isEncryptionAvailable = () => true;
    safeStorage.getSelectedStorageBackend = () => 'gnome_libsecret';
  });
  await page.reload();
}

const urlOf = ({ host, port, user, database, password }: ManagedServer, secret = password): string =>
  `postgres://${user}:${secret}@${host}:${port}/${database}`;

const goToConnections = async (page: Page): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name: 'Connections' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Connections' })).toBeVisible();
};

/** Fills the form of a new connection from a URL, without saving it. */
async function pasteUrl(page: Page, url: string, name: string): Promise<void> {
  await goToConnections(page);
  await page.getByRole('button', { name: 'New connection' }).click();
  const paste = page.getByRole('textbox', { name: 'Paste a URL' });
  await paste.fill(url);
  await paste.press('Enter');
  await expect(paste).toHaveValue('');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
}

const step = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Steps of the test' }).getByRole('listitem').filter({ hasText: name });

/** Files below a folder that contain a text, except the database server's files. */
async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(files.map(async (file) => ((await readFile(file)).includes(text) ? [file] : [])));
  return found.flat();
}

interface PageBridge {
  readonly dyno: { request(channel: string, argument: unknown): Promise<unknown> };
}

const ask = (page: Page, channel: string, argument: unknown): Promise<unknown> =>
  page.evaluate(([name, value]) => (window as unknown as PageBridge).dyno.request(name as string, value), [
    channel,
    argument,
  ] as const);

async function connectionsOf(page: Page): Promise<ConnectionList> {
  const { value } = (await ask(page, 'connections:list', null)) as { value: ConnectionList };
  return value;
}

test('a connection is pasted, tested step by step, saved, and used in a run', async ({ freshDyno: dyno }) => {
  const { page, home } = dyno;
  await withKeyring(dyno);
  await pasteUrl(page, urlOf(server), 'staging');
  await expect(page.getByRole('textbox', { name: 'Host' })).toHaveValue(server.host);
  await expect(page.getByRole('textbox', { name: 'Port' })).toHaveValue(String(server.port));
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(server.password);
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByText('Everything works')).toBeVisible({ timeout: 60_000 });
  for (const name of ['Host name', 'Port', 'TLS', 'Login', 'Rights', 'Server counters'])
    await expect(step(page, name)).toHaveAttribute('data-state', 'ok');
  await expect(page.getByText(/PostgreSQL 18.*round trip/)).toBeVisible();
  // A stored password cannot be shown again.
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');

  await page.reload();
  await goToConnections(page);
  const row = page.getByRole('row', { name: /staging/ });
  await expect(row).toContainText(`${server.host}:${server.port}`);
  await expect(row).toContainText('Works: PostgreSQL 18');

  await page.getByRole('navigation').getByRole('link', { name: 'Experiments' }).click();
  await dyno.openExperiment('Insert duel');
  await dyno.setYaml(quick.replace('[sqlite, noop]', '[noop]'));
  await expect(page.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();
  await dyno.showSection('Targets');
  await page.getByRole('button', { name: 'Add target' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: /Connection/ }).first()).toContainText('staging');
  await dialog.getByRole('button', { name: 'Add target' }).click();
  await expect(page.getByRole('textbox', { name: 'Experiment file' })).toContainText('staging');
  await expect(page.getByRole('region', { name: 'Form' })).toContainText(/staging.*Connection/);
  await dyno.run();
  await dyno.waitForResult();
  const results = await dyno.results();
  expect(results.filter(({ target }) => target === 'staging').map(({ status }) => status)).toEqual(Array(4).fill('ok'));
  expect(await filesWith(home, server.password)).toEqual([]);
});

test('a password that is neither stored nor remembered is asked for at each run and test', { tag: '@long' }, async ({
  dyno,
}) => {
  const { page, home } = dyno;
  await pasteUrl(page, urlOf(server), 'asked');
  await expect(page.getByRole('button', { name: /Password source/ })).toContainText('Ask for each run or test');
  await page.getByText('Remember until Dyno quits').click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved “asked”')).toBeVisible();
  await page.getByRole('button', { name: 'Use in experiment' }).click();
  await dyno.showYaml();
  await expect(page.getByRole('textbox', { name: 'Experiment file' })).toContainText('asked');
  await dyno.setYaml(quick.replace('[sqlite, noop]', '[asked]').replace('repeats: 2', 'repeats: 1'));
  await expect(page.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await expect(run).toBeEnabled();

  await run.click();
  const dialog = page.getByRole('dialog', { name: 'Passwords' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(run).toBeEnabled();

  await run.click();
  await dialog.getByText('Remember until Dyno quits').click();
  await dialog.getByLabel('Password of asked').fill(server.password);
  await page.keyboard.press('Enter');
  await expect.poll(() => runIds(home), { timeout: 30_000 }).toHaveLength(1);
  await dyno.waitForResult();
  expect((await dyno.results()).map(({ status }) => status)).toEqual(['ok', 'ok']);
  expect(await filesWith(home, server.password)).toEqual([]);
  await page.getByRole('button', { name: 'Run again' }).first().click();
  await expect(dialog.getByLabel('Password of asked')).toBeVisible();
});

test('a password is remembered until Dyno quits, unless the server refuses it', async ({ dyno }) => {
  const { page, home } = dyno;
  await pasteUrl(page, urlOf(server), 'remembered');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved “remembered”')).toBeVisible();
  await goToConnections(page);
  const test = page.getByRole('button', { name: 'Test remembered' });
  const dialog = page.getByRole('dialog', { name: 'Test of remembered' });
  await test.click();
  await expect(dialog.getByText('Everything works')).toBeVisible({ timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(await filesWith(home, server.password)).toEqual([]);

  // Another password from the prompt is remembered, and forgotten after the server refuses it.
  const { connections } = await connectionsOf(page);
  const passwords = { [connections[0]!.id]: { password: 'wrong' } };
  expect(await ask(page, 'connections:remember', { passwords })).toMatchObject({ ok: true });
  await test.click();
  await expect(dialog.getByText('Login failed')).toBeVisible({ timeout: 30_000 });
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await test.click();
  await page.getByLabel('Password of remembered').fill(server.password);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Everything works')).toBeVisible({ timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await test.click();
  await expect(dialog.getByText('Everything works')).toBeVisible({ timeout: 60_000 });
});

test('the failed step is named with a remedy; its script can be copied', async ({ dyno }) => {
  const { page } = dyno;
  await pasteUrl(page, urlOf(server, 'c4nary-s3cret'), 'wrong');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('Login failed')).toBeVisible({ timeout: 30_000 });
  await expect(step(page, 'Login')).toContainText('Check user and password');
  await expect(step(page, 'Port')).toHaveAttribute('data-state', 'ok');
  await expect(step(page, 'Rights')).toHaveAttribute('data-state', 'notTried');
  await expect(page.getByRole('region', { name: 'Test' })).not.toContainText('c4nary');
  {
    using _ = await ownClipboard();
    await page.getByRole('button', { name: 'Copy' }).click();
    const copied = await dyno.app.evaluate(({ clipboard }) => clipboard.readText());
    expect(copied).toContain('GRANT CONNECT');
  }

  const port = page.getByRole('textbox', { name: 'Port' });
  await port.fill('1');
  await port.press('Tab');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('Port failed')).toBeVisible({ timeout: 30_000 });
});

test('a connection goes through SSH, and a tunnel that cannot be opened is named before anything else', {
  tag: '@long',
}, async ({ dyno }) => {
  const { page, home } = dyno;
  await pasteUrl(page, urlOf(server), 'far');
  await page.getByText('SSH tunnel', { exact: true }).click();
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field('SSH host').fill('-oProxyCommand=x');
  await field('SSH host').press('Tab');
  await expect(page.getByText('ssh.host is not the name or address of a host.')).toBeVisible();
  await field('SSH host').fill('127.0.0.1');
  await field('SSH port').fill('1');
  await field('SSH port').press('Tab');
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByText('SSH tunnel failed')).toBeVisible({ timeout: 60_000 });
  await expect(step(page, 'SSH tunnel')).toHaveAttribute('data-state', 'failed');
  await expect(step(page, 'Login')).toHaveAttribute('data-state', 'notTried');
  await goToConnections(page);
  await expect(page.getByRole('row', { name: /far/ })).toContainText('through SSH 127.0.0.1:1');
  const saved = JSON.parse(await readFile(join(home, 'connections.json'), 'utf8'));
  expect(saved.connections).toMatchObject([{ ssh: { host: '127.0.0.1', port: 1 } }]);
});

test('a connection goes through a SOCKS proxy or through SSH; the proxy that does not answer is named', async ({
  dyno,
}) => {
  const { page, home } = dyno;
  await pasteUrl(page, urlOf(server), 'far');
  await page.getByText('SOCKS proxy', { exact: true }).click();
  await page.getByText('SSH tunnel', { exact: true }).click();
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field('SOCKS host').fill('127.0.0.1');
  await field('SOCKS port').fill('1');
  await field('SOCKS user').fill('ann');
  await page.getByRole('button', { name: /SOCKS password source/ }).click();
  await page.getByRole('option', { name: 'Ask for each run or test' }).click();
  await field('SOCKS password').fill('canary-proxy');
  await field('SSH host').fill('bastion');
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByText('not through both')).toBeVisible();
  await field('SSH host').fill('');
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByText('SOCKS proxy failed')).toBeVisible({ timeout: 60_000 });
  await expect(step(page, 'SOCKS proxy')).toHaveAttribute('data-state', 'failed');
  await expect(step(page, 'Login')).toHaveAttribute('data-state', 'notTried');
  const text = await readFile(join(home, 'connections.json'), 'utf8');
  expect(text).not.toContain('canary');
  expect(JSON.parse(text).connections).toMatchObject([
    { socks: { host: '127.0.0.1', port: 1, user: 'ann' }, passwords: { socksPassword: 'ask' } },
  ]);
});

test('a command prints the password once its user has agreed, and the password is in no file', async ({
  freshDyno: dyno,
}) => {
  const { app, page, home } = dyno;
  const folder = await mkdtemp(join(tmpdir(), 'dyno-command-'));
  const file = join(folder, 'token');
  await writeFile(file, server.password);
  const answer = (response: number) =>
    app.evaluate(({ dialog }, given) => {
      dialog.showMessageBox = (async () => ({
        response: given,
        checkboxChecked: false,
      })) as typeof dialog.showMessageBox;
    }, response);
  await pasteUrl(page, urlOf(server), 'commanded');
  await page.getByRole('button', { name: /Password source/ }).click();
  await page.getByRole('option', { name: 'Printed by a command' }).click();
  const command = ['cat', file];
  await page.getByRole('textbox', { name: 'Command that prints Password' }).fill(command.join('\n'));
  await answer(0);
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByText(/was not confirmed/)).toBeVisible();
  expect((await connectionsOf(page)).connections).toEqual([]);
  await answer(1);
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByText('Everything works')).toBeVisible({ timeout: 60_000 });
  const { connections } = await connectionsOf(page);
  expect(connections).toMatchObject([{ name: 'commanded', passwords: { password: { command } } }]);
  expect(await filesWith(home, server.password)).toEqual([]);
  await rm(folder, { recursive: true });
});

test('values are checked as they are typed, and a wrong form is not saved', async ({ dyno }) => {
  const { page } = dyno;
  await goToConnections(page);
  await page.getByRole('button', { name: 'New connection' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('A connection needs a name')).toBeVisible();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('sqlite');
  await expect(page.getByText(/“sqlite” is built in/)).toBeVisible();
  const port = page.getByRole('textbox', { name: 'Port' });
  await port.fill('99999');
  await port.press('Tab');
  await expect(page.getByText(/whole number from 1 to 65535/)).toBeVisible();
  const paste = page.getByRole('textbox', { name: 'Paste a URL' });
  await paste.fill('cobol://u:c4nary@h');
  await paste.press('Enter');
  await expect(page.getByText(/No engine here reads URLs that begin with cobol/)).toBeVisible();
  expect((await connectionsOf(page)).connections).toEqual([]);
});

test('connections of a file engine are duplicated, deleted and restored', { tag: '@long' }, async ({ dyno }) => {
  const { page, home } = dyno;
  await goToConnections(page);
  await page.getByRole('button', { name: 'New connection' }).click();
  await page.getByRole('button', { name: /^Engine|Engine$/ }).click();
  await page.getByRole('option', { name: 'SQLite' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('my file');
  await page.getByRole('textbox', { name: /Folder|Path/i }).fill(home);
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Saved “my file”')).toBeVisible();
  await goToConnections(page);
  await page.getByRole('button', { name: 'Actions for my file' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByRole('row', { name: /my file copy/ })).toBeVisible();
  await page.getByRole('button', { name: 'Actions for my file copy' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('row', { name: /my file copy/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('row', { name: /my file copy/ })).toBeVisible();

  await page.getByRole('button', { name: 'Test my file', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/SQLite.*round trip/)).toBeVisible({ timeout: 30_000 });
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Test No-op engine' }).click();
  await expect(page.getByRole('dialog').getByText('Everything works')).toBeVisible({ timeout: 30_000 });
});

test('an experiment that names a connection of another machine shows a message', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(quick.replace('noop', 'their-server'));
  await expect(page.getByText(/no connection called [“`]their-server[”`] here/).first()).toBeVisible();
  await dyno.showSection('Targets');
  await expect(page.getByRole('region', { name: 'Form' })).toContainText(
    'This computer has no connection with this name',
  );
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
});

test('a damaged file of connections is reported, and set aside by the next save', async ({ dyno }) => {
  const { page, home } = dyno;
  await writeFile(join(home, 'connections.json'), '{ "version": 1, "conn');
  await page.reload();
  await goToConnections(page);
  await expect(page.getByText('Some connections cannot be read')).toBeVisible();
  await pasteUrl(page, 'postgres://u@h/d', 'fresh');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved “fresh”')).toBeVisible();
  expect((await readdir(home)).filter((name) => name.startsWith('connections.json.damaged-'))).toHaveLength(1);
});

test('a page cannot read a stored password back, nor have it sent to another server', async ({ freshDyno: dyno }) => {
  const { page } = dyno;
  const secret = 'c4nary-s3cret';
  await withKeyring(dyno);
  const draft = {
    id: null,
    name: 'vault',
    engine: 'postgres',
    values: { host: '127.0.0.1', port: 1 },
    passwords: { password: { place: 'stored', typed: secret } },
  };
  const saved = (await ask(page, 'connections:save', { draft })) as { ok: boolean; value: { id: string } };
  expect(saved.ok).toBe(true);
  const { id } = saved.value;
  const kept = { ...draft, id, passwords: { password: { place: 'stored', typed: null } } };
  const moved = { ...kept, values: { host: server.host, port: server.port } };
  const test = (testId: string, tested: unknown) => ask(page, 'connections:test', { testId, tested, passwords: {} });
  const answers = {
    list: await ask(page, 'connections:list', null),
    judged: await ask(page, 'connections:judge', { draft: kept }),
    saved: await ask(page, 'connections:save', { draft: kept }),
    copied: await ask(page, 'connections:duplicate', { id }),
    tested: await test('t1', { id }),
    readUrl: await ask(page, 'connections:readUrl', { url: 'postgres://h/d', engine: null }),
  };
  for (const [name, answer] of Object.entries(answers)) expect(JSON.stringify(answer), name).not.toContain(secret);
  expect(answers.tested).toMatchObject({ ok: true, value: { report: { state: 'failed' } } });

  // Another server needs the password again: neither a test nor a save sends the old one there.
  expect(await test('t2', { draft: moved })).toMatchObject({ ok: true, value: { needs: [{ field: 'password' }] } });
  const refused = await ask(page, 'connections:save', { draft: moved });
  expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('another server') } });
  // The password does not move into another field or a visible one.
  const asHost = { ...kept, values: {}, passwords: { host: { place: 'stored', typed: 'x' } } };
  expect(await ask(page, 'connections:save', { draft: asHost })).toMatchObject({ ok: false });
  const plain = { ...draft, name: 'plain', values: { host: 'h', password: secret }, passwords: {} };
  expect(await ask(page, 'connections:save', { draft: plain })).toMatchObject({ ok: false });
  expect(await filesWith(dyno.home, secret)).toEqual([]);
});

test('no connection is tested during a run', { tag: '@long' }, async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(slow);
  await expect(page.getByRole('heading', { level: 1, name: 'Slow check' })).toBeVisible();
  await dyno.run();
  const tested = { testId: 't', tested: { builtIn: 'sqlite' }, passwords: {} };
  expect(await ask(page, 'connections:test', tested)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('“Slow check” is running') },
  });
  await dyno.cancel();
  await dyno.waitForResult();
  expect(await ask(page, 'connections:test', tested)).toMatchObject({ ok: true });
});

test('invalid arguments of requests about connections are rejected', async ({ dyno }) => {
  const { page } = dyno;
  const draft = { id: null, name: 'x', engine: 'postgres', values: {}, passwords: {} };
  const refused: readonly (readonly [string, unknown])[] = [
    ['connections:save', { draft: { ...draft, file: '/tmp/x' } }],
    ['connections:save', { draft: { ...draft, id: '../../etc/passwd' } }],
    ['connections:save', { draft: { ...draft, values: { host: ['a'] } } }],
    ['connections:save', { draft: { ...draft, passwords: { password: { place: 'file', typed: 'x' } } } }],
    ['connections:delete', { id: 7 }],
    ['connections:restore', { undo: '../x' }],
    ['connections:readUrl', { url: 7, engine: null }],
    ['connections:test', { testId: 'a', tested: { path: '/etc/passwd' }, passwords: {} }],
    ['connections:test', { testId: 'a', tested: { builtIn: 'no-such' }, passwords: {} }],
    ['runs:start', { text: quick }],
  ];
  for (const [channel, argument] of refused)
    expect(await ask(page, channel, argument), `${channel} ${JSON.stringify(argument)}`).toMatchObject({
      ok: false,
      error: { kind: 'badInput' },
    });
});

test('connections can be made, tested and left with the keyboard alone', { tag: '@long' }, async ({ dyno }) => {
  const { page } = dyno;
  await expect(page.getByRole('heading', { level: 1, name: /Compare databases/ })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('new connection');
  await page.keyboard.press('Enter');
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await tabUntil(page, () => name.evaluate((element) => element === document.activeElement));
  await page.keyboard.type('by hand');
  await page.keyboard.press('Tab');
  await page.keyboard.type('postgres://u:p@127.0.0.1:1/d');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Host' })).toHaveValue('127.0.0.1');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Saved “by hand”')).toBeVisible();
  const button = page.getByRole('button', { name: 'Test', exact: true });
  await tabUntil(page, () => button.evaluate((element) => element === document.activeElement), 'Shift+Tab');
  await page.keyboard.press('Enter');
  // The password of the URL is remembered until Dyno quits.
  await expect(page.getByText('Port failed')).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('go to connections');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /by hand/ })).toBeVisible();
});

async function tabUntil(page: Page, isThere: () => Promise<boolean>, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await isThere()) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not get there.`);
}

test('connections are free of accessibility violations', async ({ dyno }) => {
  const { page } = dyno;
  const clean = async (screen: string) => expect(await violations(page), screen).toEqual([]);
  await goToConnections(page);
  await clean('empty list');
  await page.getByRole('button', { name: 'New connection' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('A connection needs a name')).toBeVisible();
  await clean('form with a problem');
  await pasteUrl(page, urlOf(server, 'wrong'), 'clean');
  for (const more of await page.getByText('More settings').all()) await more.click();
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByText('Login failed')).toBeVisible({ timeout: 30_000 });
  await clean('failed test');
  await goToConnections(page);
  await clean('list');
  await page.getByRole('button', { name: 'Test SQLite (built in)' }).click();
  await expect(page.getByRole('dialog').getByText(/round trip/)).toBeVisible({ timeout: 30_000 });
  await clean('test in a dialog');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Test clean' }).click();
  await expect(page.getByLabel('Password of clean')).toBeVisible();
  await clean('question for a password');
});

test('connections of other programs are imported, with their passwords only where the user says so', async ({
  freshDyno: dyno,
}) => {
  const { app, page, home } = dyno;
  await withKeyring(dyno);
  const folder = await mkdtemp(join(tmpdir(), 'dyno-import-'));
  const secret = 'c4nary-s3cret';
  try {
    await writeFile(
      join(folder, '.pg_service.conf'),
      `[shop]\nhost=db.example.com\nuser=app\ndbname=shop\npassword=${secret}\nsslmode=verify-ca\nkeepalives=1\n[pair]\nhost=a,b\n[again]\nhost=db.example.com\nuser=app\ndbname=shop\nsslmode=verify-full\n`,
    );
    await writeFile(
      join(folder, 'tnsnames.ora'),
      'ERP = (DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=ora.example.com)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=erp)))\n',
    );
    await app.evaluate(({ dialog }, where) => {
      for (const name of ['PGSERVICEFILE', 'PGPASSFILE', 'PGSYSCONFDIR', 'TNS_ADMIN', 'ORACLE_HOME', 'ODBCINI'])
        process.env[name] = '';
      process.env.HOME = where;
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [`${where}/tnsnames.ora`] });
    }, folder);
    await goToConnections(page);
    await page.getByRole('button', { name: 'Import…' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('row', { name: /shop/ }).first()).toContainText('db.example.com:5432/shop');
    await expect(dialog).toContainText('Not taken over: keepalives');
    await expect(dialog.getByRole('row', { name: /pair/ })).toContainText('several hosts');
    await expect(dialog.getByRole('row', { name: /again/ })).toContainText('It has the same server and user as “shop”');
    expect(await dialog.innerText()).not.toContain(secret);
    expect(await violations(page)).toEqual([]);
    await dialog.getByText('Keep the passwords of 1 connection too').click();
    await dialog.getByRole('button', { name: 'Import 1 connection' }).click();
    await expect(page.getByText('Imported 1 connection')).toBeVisible();
    const row = page.getByRole('row', { name: /shop/ });
    await expect(row).toContainText('stored');

    await page.getByRole('button', { name: 'Import…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Choose a file…' }).click();
    await expect(dialog.getByRole('row', { name: /ERP/ })).toContainText('User is needed');
    await dialog.getByRole('button', { name: 'Import 1 connection' }).click();
    await expect(page.getByRole('row', { name: /ERP/ })).toContainText('User is needed');
    const { connections: all } = await connectionsOf(page);
    expect(all.map(({ name, passwords }) => [name, passwords])).toEqual([
      ['ERP', { password: 'ask' }],
      ['shop', { password: 'stored' }],
    ]);
    expect(await filesWith(home, secret)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
