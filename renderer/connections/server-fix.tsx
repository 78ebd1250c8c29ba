import { useEffect } from 'react';
import type { MissingServer } from '#protocol/ipc.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { CopyBox } from '../ui/display/copy-box.tsx';
import { ProgressBar } from '../ui/display/progress-bar.tsx';
import {
  cancelInstall,
  installing,
  installServer,
  loadMissingServers,
  lookAgain,
  missingServers,
} from './server-install.ts';

/** The built-in targets without a server on this machine, by name. Empty until they are known. */
export function useMissingServers(): Readonly<Record<string, MissingServer>> {
  useEffect(() => void loadMissingServers(), []);
  return useStore(missingServers) ?? {};
}

interface Props {
  readonly label: string;
  readonly missing: MissingServer;
}

/** The remedy for a missing server: a button if Dyno can install it, a command if the system can, otherwise a text. */
export const ServerFix = ({ label, missing: { fix, install, commands, besides } }: Props) => {
  const now = useStore(installing);
  if (install && now?.tool === install.tool)
    return (
      <div className="server-installing">
        <ProgressBar label={`Installing ${label}`} fraction={now.fraction} />
        <p className="faint">{now.activity}</p>
      </div>
    );
  if (install) return <p className="faint">{install.about}</p>;
  if (commands.length === 0) return <p className="faint">{fix.replaceAll('`', '')}</p>;
  return (
    <div className="server-commands">
      {commands.map((command) => (
        <CopyBox key={command} label="In a terminal" text={command} />
      ))}
      {besides && <p className="faint">{besides.text}</p>}
      {besides && <CopyBox label="In a terminal" text={besides.command} />}
    </div>
  );
};

/** The button of a missing server: install, cancel, or check again after a system command. */
export const ServerAction = ({ label, missing: { install, commands } }: Props) => {
  const now = useStore(installing);
  if (install && now?.tool === install.tool)
    return (
      <Button aria-label={`Cancel the installation of ${label}`} onPress={() => void cancelInstall()}>
        Cancel
      </Button>
    );
  if (install)
    return (
      <Button
        icon="download"
        aria-label={`Install ${label}`}
        isDisabled={now !== null}
        onPress={() => void installServer(label, install.tool)}
      >
        Install
      </Button>
    );
  if (commands.length === 0) return null;
  return (
    <Button aria-label={`Check again for ${label}`} onPress={() => void lookAgain()}>
      Check again
    </Button>
  );
};
