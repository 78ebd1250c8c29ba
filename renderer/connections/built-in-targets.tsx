import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { AppInfo } from '#protocol/ipc.ts';
import { Button } from '../ui/button.tsx';
import { testOf } from './test-dialog.tsx';

/** The built-in targets. One whose server is not on this machine says what to install. */
export const BuiltInTargets = ({
  engines,
  missing,
}: {
  readonly engines: readonly EngineDescriptor[];
  readonly missing: AppInfo['missing'];
}) => (
  <ul className="panel">
    {engines
      .flatMap(({ builtIn, notice }) => builtIn.map((one) => ({ ...one, notice })))
      .map(({ target, label, about, notice }) => (
        <li key={target} className="library-row">
          <div className="grow">
            <strong>{label}</strong>
            <p className="muted">{about}</p>
            {notice && <p className="muted">{notice}</p>}
            {missing[target] && (
              <p className="faint">
                Not on this machine: {missing[target].what} {missing[target].fix}
              </p>
            )}
          </div>
          <code className="mono faint">{target}</code>
          <Button
            aria-label={`Test ${label}`}
            isDisabled={missing[target] !== undefined}
            onPress={() => testOf(label, { builtIn: target })}
          >
            Test
          </Button>
        </li>
      ))}
  </ul>
);
