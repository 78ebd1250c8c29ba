import { useState } from 'react';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { ServerAction, ServerFix, useMissingServers } from './server-fix.tsx';
import { installing } from './server-install.ts';

/**
 * The built-in targets without a server on this machine, folded. Each one shows its missing server and how to install
 * it.
 */
export const MissingServers = ({ engines }: { readonly engines: readonly EngineDescriptor[] }) => {
  const all = useMissingServers();
  // The list opens while an installation is running, and then stays as the user leaves it.
  const [isOpen] = useState(() => installing.get() !== null);
  const rows = engines.flatMap(({ builtIn }) =>
    builtIn.flatMap(({ target, label, about }) => {
      const missing = all[target];
      return missing ? [{ target, label, about, missing }] : [];
    }),
  );
  if (rows.length === 0) return null;
  return (
    <details className="missing-servers" open={isOpen}>
      <summary>
        {rows.length === 1 ? 'One more server' : `${rows.length} more servers`} not installed on this machine
      </summary>
      <ul className="panel" aria-label="Missing servers">
        {rows.map(({ target, about, ...row }) => (
          <li key={target} className="library-row missing-server">
            <div className="grow">
              <strong>{row.label}</strong>
              <p className="muted">{about}</p>
              <p>{row.missing.what}</p>
              <ServerFix {...row} />
            </div>
            <code className="mono faint">{target}</code>
            <ServerAction {...row} />
          </li>
        ))}
      </ul>
    </details>
  );
};
