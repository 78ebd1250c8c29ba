import { type BrowserWindow, Notification, powerSaveBlocker } from 'electron';
import type { Desktop } from './services/runs/run-attention.ts';

/** A value above 1 means progress with an unknown end. */
const unknownProgress = 2;

/**
 * Visible notifications. Without a reference, a notification is collected as garbage, and a press on it does nothing.
 */
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

/** Shows the window, whether it was hidden or minimised. */
export function bringForward(window: BrowserWindow): void {
  if (window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
