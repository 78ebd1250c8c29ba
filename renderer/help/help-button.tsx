import { IconButton } from '../ui/controls/button.tsx';
import { openHelp } from './help-store.ts';
import type { Topic } from './passages.ts';

/** The "?" button, which opens the documentation of a topic. */
export const HelpButton = ({ about, topic }: { readonly about: string; readonly topic: Topic }) => (
  <span className="help-button">
    <IconButton icon="help" label={`Help: ${about}`} excludeFromTabOrder={false} onPress={() => openHelp(topic)} />
  </span>
);
