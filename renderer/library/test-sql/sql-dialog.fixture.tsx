import { screen, within } from '@testing-library/react';
import { expect } from 'vitest';
import type { FakeHandlers } from '../../dev/fake-ipc.ts';
import { openWindow } from '../../dev/window.fixture.tsx';

/** Planning takes seconds where the machine is busy. */
export const longEnough = { timeout: 20_000 };

/** Opens the window, and keeps the experiments that are started in it. */
export async function openStarting(handlers: Partial<FakeHandlers> = {}) {
  const started: string[] = [];
  const dyno = await openWindow({
    handlers: {
      'runs:start': async ({ text }) => {
        started.push(text);
        return { runId: 'none' };
      },
      ...handlers,
    },
  });
  return { dyno, started };
}

/** A dialog that makes an experiment of SQL, opened by the button of its name. */
export async function openSqlDialog(title: string, press: (element: HTMLElement) => Promise<void>) {
  await press(await screen.findByRole('button', { name: new RegExp(`^${title}`) }));
  return within(await screen.findByRole('dialog', { name: title }));
}

/** The sentence about what is missing, or what a run costs. */
export const toldText = (): string => document.querySelector('.test-sql-actions p')?.textContent ?? '';

/** The button *Run* once it can be pressed. */
export async function readyRun(dialog: ReturnType<typeof within>): Promise<HTMLElement> {
  const button = dialog.getByRole('button', { name: 'Run' });
  await expect.poll(() => button.hasAttribute('disabled') && toldText(), longEnough).toBe(false);
  return button;
}
