import { useEffect, useState } from 'react';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { MissingServer } from '#protocol/ipc.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { CopyBox } from '../ui/copy-box.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import {
  cancelInstall,
  installing,
  installServer,
  loadMissingServers,
  lookAgain,
  missingServers,
} from './server-install.ts';

interface RowProps {
  readonly label: string;
  readonly missing: MissingServer;
}

/** What can be done: a press where Dyno can fetch it, a command where the system can, else words. */
const Fix = ({ label, missing: { fix, install, commands } }: RowProps) => {
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
    </div>
  );
};

const Action = ({ label, missing: { install, commands } }: RowProps) => {
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
    <Button aria-label={`Look again for ${label}`} onPress={() => void lookAgain()}>
      Look again
    </Button>
  );
};

/** The built-in targets whose server is not on this machine, folded: what each lacks and how to get it. */
export const MissingServers = ({ engines }: { readonly engines: readonly EngineDescriptor[] }) => {
  const all = useStore(missingServers) ?? {};
  // Open where an installation goes on; from then on it is the user's.
  const [isOpen] = useState(() => installing.get() !== null);
  useEffect(() => void loadMissingServers(), []);
  const rows = engines.flatMap(({ builtIn, notice }) =>
    builtIn.flatMap(({ target, label, about }) => {
      const missing = all[target];
      return missing ? [{ target, label, about, notice, missing }] : [];
    }),
  );
  if (rows.length === 0) return null;
  return (
    <details className="missing-servers" open={isOpen}>
      <summary>
        {rows.length === 1 ? 'One more that' : `${rows.length} more that`} this machine does not have yet
      </summary>
      <ul className="panel" aria-label="Missing servers">
        {rows.map(({ target, about, notice, ...row }) => (
          <li key={target} className="library-row missing-server">
            <div className="grow">
              <strong>{row.label}</strong>
              <p className="muted">{about}</p>
              {notice && <p className="muted">{notice}</p>}
              <p>{row.missing.what}</p>
              <Fix {...row} />
            </div>
            <code className="mono faint">{target}</code>
            <Action {...row} />
          </li>
        ))}
      </ul>
    </details>
  );
};
