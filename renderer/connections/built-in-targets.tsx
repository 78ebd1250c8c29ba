import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { Swatch } from '../charts/swatch.tsx';
import { builtInHere } from '../state/app-info.ts';
import { Button } from '../ui/controls/button.tsx';
import { testOf } from './test-dialog.tsx';

interface Props {
  readonly engines: readonly EngineDescriptor[];
  /** Missing servers by the name of the target; missing-servers.tsx shows them. */
  readonly missing: Readonly<Record<string, unknown>>;
}

/** The built-in targets whose server is installed on this machine. */
export const BuiltInTargets = ({ engines, missing }: Props) => (
  <ul className="panel">
    {builtInHere(engines, missing).map(({ target, label, about, index }) => (
      <li key={target} className="library-row">
        <div className="grow">
          <span className="connection-name">
            <Swatch index={index} />
            <strong>{label}</strong>
          </span>
          <p className="muted">{about}</p>
        </div>
        <code className="mono faint">{target}</code>
        <Button aria-label={`Test ${label}`} onPress={() => testOf(label, { builtIn: target })}>
          Test
        </Button>
      </li>
    ))}
  </ul>
);
