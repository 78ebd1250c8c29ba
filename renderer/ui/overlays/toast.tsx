import {
  UNSTABLE_Toast as AriaToast,
  Text,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { Button, IconButton } from '../controls/button.tsx';
import { Icon } from '../icon.tsx';

export interface Toast {
  readonly tone: 'info' | 'error';
  readonly title: string;
  readonly text?: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

const queue = new ToastQueue<Toast>({ maxVisibleToasts: 4 });

/** Shows a toast. Errors stay until they are closed or no longer apply; others disappear after eight seconds. */
export function showToast(toast: Toast): void {
  queue.add(toast, toast.tone === 'error' ? {} : { timeout: 8_000 });
}

/** Closes error toasts, because the page or run that they belong to is gone. */
export function closeErrors(): void {
  for (const { key, content } of queue.visibleToasts) if (content.tone === 'error') queue.close(key);
}

export const Toasts = () => (
  <ToastRegion queue={queue} className="toasts" aria-label="Notifications">
    {({ toast }) => (
      <AriaToast toast={toast} className={`toast toast-${toast.content.tone}`}>
        <Icon name={toast.content.tone === 'error' ? 'error' : 'info'} />
        <ToastContent className="toast-content">
          <Text slot="title">{toast.content.title}</Text>
          {toast.content.text && <Text slot="description">{toast.content.text}</Text>}
        </ToastContent>
        {toast.content.action && (
          <Button
            kind="quiet"
            onPress={() => {
              toast.content.action?.run();
              queue.close(toast.key);
            }}
          >
            {toast.content.action.label}
          </Button>
        )}
        <IconButton icon="close" label="Dismiss" onPress={() => queue.close(toast.key)} />
      </AriaToast>
    )}
  </ToastRegion>
);
