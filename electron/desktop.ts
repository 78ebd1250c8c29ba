import { type BrowserWindow, Notification, powerSaveBlocker } from 'electron';
import type { Desktop } from './services/runs/run-attention.ts';

/** More than 1 stands for progress of which the end is not known. */
const unknownProgress = 2;

/** Notifications on the screen: one that nobody refers to is collected as garbage, and its press does nothing. */
const shown = new Set<Notification>();

/** The desktop around a window: its button in the taskbar, notifications, and the machine's sleep. */
export function desktopOf(window: BrowserWindow): Desktop {
  const setProgress = (value: number, paused = false) => {
    if (!window.isDestroyed()) window.setProgressBar(value, { mode: paused ? 'paused' : 'normal' });
  };
  return {
    showProgress: (fraction, paused) => setProgress(fraction ?? unknownProgress, paused),
    hideProgress: () => setProgress(-1),
    keepAwake() {
      const id = powerSaveBlocker.start('prevent-app-suspension');
      return () => powerSaveBlocker.stop(id);
    },
    isFocused: () => !window.isDestroyed() && window.isFocused(),
    notify(title, body, onPress) {
      if (!Notification.isSupported() || window.isDestroyed()) return;
      const notification = new Notification({ title, body });
      shown.add(notification);
      const forget = () => shown.delete(notification);
      notification.on('click', () => {
        forget();
        bringForward(window);
        onPress();
      });
      notification.on('close', forget);
      notification.on('failed', forget);
      notification.show();
    },
  };
}

/** Shows the window, however it was hidden. */
export function bringForward(window: BrowserWindow): void {
  if (window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
