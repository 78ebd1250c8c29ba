import { Button as AriaButton } from 'react-aria-components/Button';
import { newConnection } from '../../connections/open-connection.ts';
import { appInfo } from '../../state/app-info.ts';
import { connections } from '../../state/connections.ts';
import { useStore } from '../../state/store.ts';
import { Checkbox } from '../../ui/controls/fields.tsx';

/** A server that the dialog offers. */
interface OfferedServer {
  /** The name of the target in experiment files. */
  readonly target: string;
  readonly label: string;
  readonly about: string;
  readonly engine: string;
  readonly isOwn: boolean;
}

/**
 * The servers with custom statements in SQL: the user's own, then the built-in ones that this machine has, the targets
 * of one version each last.
 */
export function useOfferedServers(): readonly OfferedServer[] {
  const engines = useStore(appInfo)?.engines ?? [];
  const missing = useStore(appInfo)?.missing ?? {};
  const own = useStore(connections)?.connections ?? [];
  const inSql = engines.filter(({ statements, reference }) => statements?.language === 'sql' && !reference);
  return [
    ...own.flatMap(({ name, engine: id, address, production }) => {
      const engine = inSql.find((one) => one.id === id);
      const about = `${engine?.label}${address ? `, ${address}` : ''}${production ? ', production' : ''}`;
      return engine ? [{ target: name, label: name, about, engine: id, isOwn: true }] : [];
    }),
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

interface Props {
  readonly servers: readonly OfferedServer[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly onLeave: () => void;
}

const Group = ({ title, servers, chosen, onChange }: Omit<Props, 'onLeave'> & { readonly title: string }) =>
  servers.length === 0 ? null : (
    <>
      <h4 className="test-sql-group">{title}</h4>
      <ul className="test-sql-servers">
        {servers.map(({ target, label, about }) => (
          <li key={target}>
            <Checkbox
              checked={chosen.includes(target)}
              onChange={(on) => onChange(on ? [...chosen, target] : chosen.filter((one) => one !== target))}
              label={
                <span className="test-sql-server">
                  <span>{label}</span>
                  <span className="faint">{about}</span>
                </span>
              }
            />
          </li>
        ))}
      </ul>
    </>
  );

/** The first step: one server, or several to compare. */
export const ServerChoice = ({ servers, onLeave, ...choice }: Props) => (
  <>
    <Group title="Your connections" servers={servers.filter(({ isOwn }) => isOwn)} {...choice} />
    <Group title="On this machine" servers={servers.filter(({ isOwn }) => !isOwn)} {...choice} />
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
