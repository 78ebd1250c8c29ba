import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { newConnection } from '../../connections/open-connection.ts';
import { appInfo } from '../../state/app-info.ts';
import { connections } from '../../state/connections.ts';
import { useStore } from '../../state/store.ts';
import { Checkbox } from '../../ui/controls/fields.tsx';
import { Radio, RadioGroup } from '../../ui/controls/radio.tsx';
import { StepTitle } from './step-title.tsx';

/** A server that a dialog offers. */
export interface OfferedServer {
  /** The name of the target in experiment files. */
  readonly target: string;
  readonly label: string;
  readonly about: string;
  readonly engine: string;
  readonly isOwn: boolean;
}

type OfferedEngine = NonNullable<ReturnType<typeof appInfo.get>>['engines'][number];

const isInSql = ({ statements }: OfferedEngine): boolean => statements?.language === 'sql';

/** The user's own servers whose engines are offered. Default: those with custom statements. */
export function useOwnServers(
  isOffered: (engine: OfferedEngine) => boolean = ({ statements }) => statements !== undefined,
): readonly OfferedServer[] {
  const engines = useStore(appInfo)?.engines ?? [];
  const own = useStore(connections)?.connections ?? [];
  return own.flatMap(({ name, engine: id, address, production }) => {
    const engine = engines.find((one) => one.id === id && isOffered(one) && !one.reference);
    const about = `${engine?.label}${address ? `, ${address}` : ''}${production ? ', production' : ''}`;
    return engine ? [{ target: name, label: name, about, engine: id, isOwn: true }] : [];
  });
}

/**
 * The servers with custom statements in SQL: the user's own, then the built-in ones that this machine has, the targets
 * of one version each last.
 */
export function useOfferedServers(): readonly OfferedServer[] {
  const own = useOwnServers(isInSql);
  const engines = useStore(appInfo)?.engines ?? [];
  const missing = useStore(appInfo)?.missing ?? {};
  const inSql = engines.filter((engine) => isInSql(engine) && !engine.reference);
  return [
    ...own,
    ...inSql
      .flatMap(({ builtIn, id, inProcess }) => builtIn.map((one) => ({ ...one, id, inProcess })))
      .filter(({ target }) => missing[target] === undefined)
      .toSorted((a, b) => Number(a.version !== undefined) - Number(b.version !== undefined))
      .map(({ target, label, id, inProcess }) => ({
        target,
        label: label.replace(/ \(.*\)$/, ''),
        about: inProcess ? 'part of Dyno' : 'started by Dyno',
        engine: id,
        isOwn: false,
      })),
  ];
}

interface GroupsProps {
  readonly servers: readonly OfferedServer[];
  readonly onLeave: () => void;
  /** Draws the choice of a server around its name. */
  readonly draw: (server: OfferedServer, name: ReactNode) => ReactNode;
}

const Group = ({ title, servers, draw }: Omit<GroupsProps, 'onLeave'> & { readonly title: string }) =>
  servers.length === 0 ? null : (
    <>
      <h4 className="test-sql-group">{title}</h4>
      <ul className="test-sql-servers">
        {servers.map((server) => (
          <li key={server.target}>
            {draw(
              server,
              <span className="test-sql-server">
                <span>{server.label}</span>
                <span className="faint">{server.about}</span>
              </span>,
            )}
          </li>
        ))}
      </ul>
    </>
  );

/** The first step of a dialog. */
const ServerStep = ({ children }: { readonly children: ReactNode }) => (
  <section aria-label="Server" className="test-sql-side">
    <StepTitle step={1} title="Server" />
    {children}
  </section>
);

const Groups = ({ servers, onLeave, draw }: GroupsProps) => (
  <>
    <Group title="Your connections" servers={servers.filter(({ isOwn }) => isOwn)} draw={draw} />
    <Group title="On this machine" servers={servers.filter(({ isOwn }) => !isOwn)} draw={draw} />
    <p className="help">
      <AriaButton
        className="link"
        onPress={() => {
          onLeave();
          newConnection();
        }}
      >
        Connect another server
      </AriaButton>
    </p>
  </>
);

interface SeveralProps extends Omit<GroupsProps, 'draw'> {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** The step in which one server is chosen, or several to compare. */
export const ServersChoice = ({ chosen, onChange, ...groups }: SeveralProps) => (
  <ServerStep>
    <Groups
      {...groups}
      draw={({ target }, name) => (
        <Checkbox
          checked={chosen.includes(target)}
          onChange={(on) => onChange(on ? [...chosen, target] : chosen.filter((one) => one !== target))}
          label={name}
        />
      )}
    />
  </ServerStep>
);

interface OneProps extends Omit<GroupsProps, 'draw'> {
  /** Null: none is chosen yet. */
  readonly chosen: string | null;
  readonly onChange: (chosen: string) => void;
}

/** The step in which one server is chosen. */
export const ServerChoice = ({ chosen, onChange, ...groups }: OneProps) => (
  <ServerStep>
    <RadioGroup label="Server" value={chosen} onChange={onChange}>
      <Groups {...groups} draw={({ target }, name) => <Radio value={target}>{name}</Radio>} />
    </RadioGroup>
  </ServerStep>
);
