import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { BrowserWindow, Rectangle } from 'electron';
import * as v from 'valibot';

const stateSchema = v.object({
  bounds: v.object({ x: v.number(), y: v.number(), width: v.number(), height: v.number() }),
  maximized: v.boolean(),
});
type WindowState = v.InferOutput<typeof stateSchema>;

/** The window's last position; null on first start, for a damaged file, and if no screen shows that position. */
export function readWindowState(file: string, screens: readonly Rectangle[]): WindowState | null {
  try {
    const state = v.parse(stateSchema, JSON.parse(readFileSync(file, 'utf8')));
    return screens.some((screen) => overlaps(screen, state.bounds)) ? state : null;
  } catch {
    return null;
  }
}

/** Saves the window's position when it changes. Errors are ignored. */
export function rememberWindowState(window: BrowserWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void write(window, file).catch(() => undefined), 500);
  };
  for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(event as 'resize', later);
  window.once('closed', () => clearTimeout(timer));
}

async function write(window: BrowserWindow, file: string): Promise<void> {
  if (window.isDestroyed()) return;
  const state: WindowState = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
}

/** True if at least the size of a title bar is on the screen. */
function overlaps(screen: Rectangle, window: Rectangle): boolean {
  const width = Math.min(screen.x + screen.width, window.x + window.width) - Math.max(screen.x, window.x);
  return width >= 100 && window.y >= screen.y && window.y < screen.y + screen.height - 50;
}
