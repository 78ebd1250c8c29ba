import { IconButton } from '../ui/controls/button.tsx';
import { openHelp } from './help-store.ts';
import type { Topic } from './passages.ts';

/** "?": opens the passage of the documentation about something. */
export const HelpButton = ({ about, topic }: { readonly about: string; readonly topic: Topic }) => (
  <span className="help-button">
    <IconButton icon="help" label={`Help: ${about}`} excludeFromTabOrder={false} onPress={() => openHelp(topic)} />
  </span>
);
