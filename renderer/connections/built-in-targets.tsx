import type { EngineDescriptor } from '#contract/engine.ts';
import type { AppInfo } from '#contract/ipc.ts';
import { Button } from '../ui/button.tsx';
import { testOf } from './test-dialog.tsx';

/** What Dyno starts by itself; those whose server is not on this machine say what would change that. */
export const BuiltInTargets = ({
  engines,
  missing,
}: {
  readonly engines: readonly EngineDescriptor[];
  readonly missing: AppInfo['missing'];
}) => (
  <ul className="panel">
    {engines.flatMap(({ id, embedded }) =>
      embedded ? (
        <li key={id} className="library-row">
          <div className="grow">
            <strong>{embedded.label}</strong>
            <p className="muted">{embedded.about}</p>
            {missing[embedded.target] && (
              <p className="faint">
                Not on this machine: {missing[embedded.target]?.what} {missing[embedded.target]?.fix}
              </p>
            )}
          </div>
          <code className="mono faint">{embedded.target}</code>
          <Button
            aria-label={`Test ${embedded.label}`}
            isDisabled={missing[embedded.target] !== undefined}
            onPress={() => testOf(embedded.label, { builtIn: embedded.target })}
          >
            Test
          </Button>
        </li>
      ) : (
        []
      ),
    )}
  </ul>
);
