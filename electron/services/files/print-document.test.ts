import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { printDocument } from './print-document.ts';

/** The hidden window: what it was made with, what it has loaded, and how its system answers. */
const seen = vi.hoisted(() => ({
  options: {} as Electron.BrowserWindowConstructorOptions,
  file: '',
  text: '',
  isDestroyed: false,
  blocked: [] as string[],
  answer: (_done: (isPrinted: boolean, reason: string) => void, _close: () => void): void => {},
}));

vi.mock('electron', () => ({
  session: {
    fromPartition: (name: string) => ({
      setPermissionRequestHandler: () => {},
      setPermissionCheckHandler: () => {},
      webRequest: {
        onBeforeRequest: (decide: (request: { url: string }, answer: (end: { cancel: boolean }) => void) => void) => {
          for (const url of [
            'file:///tmp/x.html',
            'data:image/png;base64,',
            'https://example.com/',
            'http://127.0.0.1:1/',
          ])
            decide({ url }, ({ cancel }) => {
              if (cancel) seen.blocked.push(url);
            });
        },
      },
      name,
    }),
  },
  BrowserWindow: class {
    #closed = (): void => {};
    readonly webContents = {
      print: (_: unknown, done: (isPrinted: boolean, reason: string) => void) =>
        seen.answer(done, () => this.#closed()),
    };
    constructor(options: Electron.BrowserWindowConstructorOptions) {
      seen.options = options;
    }
    async loadFile(file: string): Promise<void> {
      seen.file = file;
      seen.text = readFileSync(file, 'utf8');
    }
    once(_: 'closed', closed: () => void): void {
      this.#closed = closed;
    }
    isDestroyed(): boolean {
      return seen.isDestroyed;
    }
    destroy(): void {
      seen.isDestroyed = true;
    }
  },
}));

const parent = {} as BrowserWindow;
const html = '<!doctype html><title>Größe</title>';

beforeEach(() => Object.assign(seen, { isDestroyed: false, blocked: [], file: '' }));

const isGone = (): boolean => seen.isDestroyed && !existsSync(dirname(seen.file));

test('the document is shown to the system without scripts and requests, and is gone afterwards', async () => {
  seen.answer = (done) => done(true, '');
  expect(await printDocument(parent, html)).toBe(true);
  expect(seen.text).toBe(html);
  expect(seen.options).toMatchObject({ parent, show: false, webPreferences: { sandbox: true, javascript: false } });
  expect(seen.options.webPreferences).not.toHaveProperty('preload');
  expect(seen.blocked).toEqual(['https://example.com/', 'http://127.0.0.1:1/']);
  expect(isGone()).toBe(true);
});

test.each([
  ['cancels the dialog', (done: (isPrinted: boolean, reason: string) => void) => done(false, 'Print job canceled')],
  ['closes Dyno meanwhile', (_: unknown, close: () => void) => close()],
])('nothing is printed, and nothing stays, if the user %s', async (_, answer) => {
  seen.answer = answer;
  expect(await printDocument(parent, html)).toBe(false);
  expect(isGone()).toBe(true);
});

test('a system that cannot print says why, and what to do', async () => {
  seen.answer = (done) => done(false, 'No printers available on the network');
  await expect(printDocument(parent, html)).rejects.toMatchObject({
    data: {
      kind: 'other',
      message: 'The system did not print: No printers available on the network.',
      hint: expect.stringContaining('browser'),
    },
  });
  expect(isGone()).toBe(true);
});
