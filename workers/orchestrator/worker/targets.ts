import { createHash } from 'node:crypto';
import type { ConfigParser, EngineConfig, GuardedConfig } from '#engine-api/config.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { requireServerParameters } from '#engine-api/support/server-parameters.ts';
import { type CatalogEntry, catalog, findEngine } from '#engines/catalog.ts';
import type { Connection, Passwords } from '#model/connections.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { isReadOnly, ownerText, productionDetail, protectionOf, type ServerMark } from '#model/production.ts';
import { socksPasswordField } from '#model/socks.ts';
import { throughTunnel, tunnelDetailsOf } from '#model/tunnel.ts';
import { type Home, isBelow } from '#platform/paths.ts';
import { redact, secretsIn } from '#platform/redact.ts';
import { cleaned } from '#platform/worker-errors.ts';
import { builtInOf, writtenOut } from '#rules/targets/target-fields.ts';
import type { PlannedTunnel } from '#tunnels/open-tunnel.ts';
import { passwordsOf } from '#workspace/connections/connection-passwords.ts';
import { tunnelledEndpoints, tunnelPartProblems } from '#workspace/connections/connection-tunnel.ts';
import { requireConnections } from '#workspace/connections/connections.ts';
import { markByAddress, markByIdentity } from '#workspace/connections/production-hosts.ts';
import { rememberServer } from '#workspace/connections/server-identities.ts';
import { requireGenuine, type TrustedTarget } from '#workspace/trust/gate.ts';
import { type OwnParameters, type StartedTarget, startBuiltIn } from './built-in.ts';
import { hasCommands, type Printed, printedPasswords } from './password-command.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * A target that is ready to connect to; only configureTarget makes one. It contains secrets: it is never journalled and
 * never shown.
 */
export interface ConfiguredTarget {
  readonly config: GuardedConfig;
  readonly address: string;
  readonly details: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Identifies the server: the same in every run, even if an embedded server gets a new port. */
  readonly place: string;
  /** The folder of its files, if Dyno keeps them on this machine; null: it does not. */
  readonly dataFolder: string | null;
  /** The tunnel of its connections (reach.ts); null if they go directly to the server. */
  readonly plannedTunnel: PlannedTunnel | null;
  /** Time at which the first printed password expires, in ms since 1970; null if unknown. */
  readonly expiresAt: number | null;
  /** Runs the commands that print passwords again, because the passwords may have expired. Null without commands. */
  readonly renew: ((signal: AbortSignal) => Promise<Printed>) | null;
  /** The protection of its server, as far as its address shows it. */
  readonly mark: ServerMark | null;
  /** The protection of the server once it has reported its identity, which is remembered. */
  whoseServer(identities: readonly string[]): ServerMark | null;
  /** Throws 'notConfirmed' if the reported identity belongs to another connection's server, which its address hid. */
  admit(identities: readonly string[]): void;
  /** Releases an embedded server. */
  release(): void;
  /**
   * Stops the server to empty its cache; throws while others use it. Null if it cannot be stopped, or stopping has no
   * effect.
   */
  readonly stop: ((signal: AbortSignal) => Promise<void>) | null;
}

export function catalogEntry(engine: string): CatalogEntry {
  const entry = findEngine(engine);
  if (!entry)
    throw new DynoError('badInput', `There is no engine “${engine}”.`, {
      hint: `Engines: ${catalog.map((one) => one.descriptor.id).join(', ')}.`,
    });
  return entry;
}

/** The no-op engine, which measures Dyno itself and connects to no server. */
export const instrument = { engine: 'noop', config: { delayMs: 0 } as unknown as GuardedConfig } as const;

/**
 * Makes the configuration of a trusted target: fills in variables and passwords, starts embedded servers. `own`: the
 * server belongs to the run and has these parameters.
 */
export async function configureTarget(
  target: TrustedTarget,
  home: Home,
  variables: Variables,
  onActivity: (text: string) => void,
  signal: AbortSignal,
  given: Passwords = {},
  own: OwnParameters | null = null,
): Promise<ConfiguredTarget> {
  requireGenuine(target);
  const { name, engine, spec, connection } = target;
  const { descriptor, config } = catalogEntry(engine);
  const builtIn = connection ? null : builtInOf(spec, descriptor);
  const saved = builtIn ? [] : requireConnections(home);
  const secrets = new Set<string>();
  let started: StartedTarget | null = null;
  try {
    const printed = connection && (await printedPasswords(connection, signal));
    // Passwords are not searched for placeholders: a password may look like one.
    const { [socksPasswordField]: socksPassword, ...passwords } = {
      ...(connection && passwordsOf(connection, given, variables)),
      ...printed?.passwords,
    } as Readonly<Record<string, string>>;
    const filled = {
      ...(fillVariables(
        connection?.values ?? (typeof spec === 'string' ? {} : writtenOut(spec)),
        name,
        variables,
        secrets,
      ) as object),
      ...passwords,
    } as Readonly<Record<string, unknown>>;
    if (own) requireServerParameters(descriptor, { builtIn, isConnection: false, isProduction: false }, own.parameters);
    started = builtIn ? await startBuiltIn(builtIn.target, descriptor, filled, home, onActivity, signal, own) : null;
    for (const secret of started?.secrets ?? []) secrets.add(secret);
    if (typeof spec !== 'string' && !builtIn) refuseForeignFolders(descriptor, filled, home, name);
    const asked = config.parse({ ...started?.raw, ...filled });
    const mark = builtIn ? null : await markByAddress(connection ?? spec, saved, variables);
    const readOnly = isReadOnly(mark?.production) && !target.mayDrop;
    const parsed = readOnly ? (config.readOnly?.(asked) ?? asked) : asked;
    for (const field of descriptor.config)
      if (field.kind === 'password' && typeof parsed[field.name] === 'string') secrets.add(String(parsed[field.name]));
    const { details, ...described } = config.describe(parsed);
    if (socksPassword !== undefined) secrets.add(socksPassword);
    const proxyPassword = socksPassword ?? fillVariables(connection?.socks?.password, name, variables, secrets);
    const address = throughTunnel(described.address, connection ?? {});
    const shown = (text: string) => redact(text, [...secrets]);
    const whoseServer = (identities: readonly string[]): ServerMark | null => {
      if (connection) rememberServer(home, connection, saved, identities);
      return mark ?? markByIdentity(home, engine, identities, saved);
    };
    // The brand exists for the compiler only. There is no other way to a configuration that workers accept.
    return {
      config: parsed as GuardedConfig,
      plannedTunnel: connection && tunnelOf(connection, proxyPassword, { descriptor, config }, parsed),
      address: shown(address),
      details: {
        ...Object.fromEntries(Object.entries(details).map(([key, value]) => [key, shown(value)])),
        ...leftOutOf(config, filled),
        ...tunnelDetailsOf(connection ?? {}),
        ...(mark && { [productionDetail]: protectionOf(mark.production, descriptor) }),
      },
      // Two addresses that are equal without their secrets are still two places.
      place: `${engine} ${started?.place ?? (shown(address) === address ? address : shortHash(address))}`,
      dataFolder: started?.dataFolder ?? null,
      secrets: [...secrets],
      expiresAt: printed?.expiresAt ?? null,
      renew:
        connection && hasCommands(ofServer(connection))
          ? (again) => printedPasswords(ofServer(connection), again)
          : null,
      mark,
      whoseServer,
      admit(identities) {
        const found = whoseServer(identities);
        if (found && !mark) throw notItsOwn(name, found);
      },
      release: () => started?.release(),
      stop: builtIn?.restartEmptiesCache ? (started?.stop ?? null) : null,
    };
  } catch (thrown) {
    started?.release();
    throw cleaned(toErrorData(thrown), [...secrets]);
  }
}

/** The refusal of a target whose server belongs to a production connection under another name than the plan knew. */
export const notItsOwn = (target: string, mark: ServerMark): DynoError =>
  new DynoError('notConfirmed', `Target “${target}”: ${ownerText(mark)}Nothing was done there.`, {
    hint: `Write “${mark.of[0]}” as the target; or save this target as a connection and mark it as production, too, with what may be done there. Dyno then asks for the name of its host.`,
  });

/** The parameters of a target's URL that are not used, without their values, as a detail of the target. */
function leftOutOf({ connectionStrings }: ConfigParser, { url }: Readonly<Record<string, unknown>>) {
  const notes = typeof url === 'string' && url !== '' ? (connectionStrings?.read(url)?.notes ?? []) : [];
  return notes.length > 0 ? { 'of the URL': notes.join(' ') } : {};
}

/** The connection with the passwords of its server only; a tunnel keeps the password with which it was opened. */
const ofServer = (connection: Connection): Connection => {
  const { [socksPasswordField]: _, ...passwords } = connection.passwords;
  return { ...connection, passwords };
};

/** Throws 'badInput' for an invalid tunnel, and 'unsupported' if the engine cannot use one. */
function tunnelOf(
  connection: Connection,
  proxyPassword: unknown,
  entry: CatalogEntry,
  parsed: EngineConfig,
): PlannedTunnel | null {
  const { ssh, socks } = connection;
  const [problem] = tunnelPartProblems(connection);
  if (problem) throw new DynoError('badInput', problem.message, { hint: problem.hint });
  if (ssh) return { kind: 'ssh', ssh, endpoints: tunnelledEndpoints(entry, parsed) };
  if (!socks) return null;
  const password = typeof proxyPassword === 'string' ? proxyPassword : '';
  return { kind: 'socks', socks: { ...socks, password }, endpoints: tunnelledEndpoints(entry, parsed) };
}

/** The sender of an experiment file must not choose where files are created on this machine. Throws 'permission'. */
function refuseForeignFolders(
  { config }: EngineDescriptor,
  filled: Readonly<Record<string, unknown>>,
  home: Home,
  target: string,
): void {
  for (const { name, makesFiles } of config) {
    const place = filled[name];
    if (!makesFiles || typeof place !== 'string' || isBelow(home.root, place)) continue;
    const hint = `An experiment file may not choose where files are made. Save the target under Connections and write its name, or leave ${name} out.`;
    const message = `Target “${target}”: ${name} is outside of Dyno’s home (${home.root}).`;
    throw new DynoError('permission', message, { hint });
  }
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** True for a position in the user or password of a URL, or in the value of one of its parameters. */
const isPartOfUrl = (text: string, at: number): boolean => {
  const before = text.slice(0, at);
  if (/^(?:jdbc:|r2dbc:)?[a-z][a-z0-9+.-]*:\/\/[^/?#]*$/i.test(before)) return text.includes('@', at);
  return /^(?:jdbc:|r2dbc:)?[a-z][a-z0-9+.-]*:\/\/.*[?&]\w+=$/i.test(before);
};

/** True for a position in the value of a pair of a connection string: Password=${env:NAME};… */
const isPairOf = (text: string, at: number): boolean =>
  /(^|[;\s])[\w ]+=$/.test(text.slice(0, at)) && /;|\s\w+=/.test(text);

/** Replaces `${env:NAME}` in every text, and remembers the values of the environment as secrets. */
export function fillVariables(value: unknown, target: string, variables: Variables, secrets: Set<string>): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string, at: number) => {
      const found = variables[name];
      if (found === undefined) {
        const message = `Target “${target}” needs the environment variable ${name}, which is not set.`;
        throw new DynoError('badInput', message, { hint: `Set it before starting Dyno: export ${name}=…` });
      }
      for (const secret of secretsIn(found)) secrets.add(secret);
      if (isPairOf(value, at) && /[;"'{}\s=]/.test(found)) {
        const message = `Target “${target}”: the value of ${name} holds a character (; = quotes, braces or a blank) that ends a value of a connection string.`;
        const hint = `Write \`password: \${env:${name}}\` beside the url.`;
        throw new DynoError('badInput', message, { hint });
      }
      if (!isPartOfUrl(value, at)) return found;
      // A value without an escape is the password itself, whose special characters would end it.
      if (!/%[0-9a-f]{2}/i.test(found)) return encodeURIComponent(found);
      if (/[/?#\s]/.test(found)) {
        const message = `Target “${target}”: the value of ${name} holds an escape (%), and a character (/, ?, # or a space) that ends the password of a URL.`;
        const hint = `Write \`password: \${env:${name}}\` beside the url, or percent-encode the whole value.`;
        throw new DynoError('badInput', message, { hint });
      }
      return found.replaceAll('@', '%40');
    });
  if (Array.isArray(value)) return value.map((one) => fillVariables(one, target, variables, secrets));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, fillVariables(one, target, variables, secrets)]),
    );
  return value;
}
