import type { ConnectionStrings } from './connection-strings/connection-strings.ts';

/** The ways in which a value of a connection can use this machine. */
export const localUseKinds = ['file', 'code', 'identity'] as const;
/**
 * file: Dyno reads or writes a file that the value names. code: a library of this machine is loaded. identity: Dyno
 * logs in with the identity of this account or machine, not only with secrets of the connection.
 */
export type LocalUseKind = (typeof localUseKinds)[number];

/** A way in which values of a field use this machine. It is plain data, because the window gets the fields, too. */
export interface LocalUse {
  /** See {@link LocalUseKind}. */
  readonly kind: LocalUseKind;
  /** The rest of a sentence that begins with the field and its value: "loads the libraries of this folder". */
  readonly does: string;
  /** A regular expression, without regard to case, of the values that make the use. Default: every value. */
  readonly values?: string;
  /** A regular expression of the names in a map that make the use. Default: every name. */
  readonly names?: string;
}

/** One field of an engine's connection form; the same record documents a target key of the experiment file. */
export interface ConfigField {
  /** The key of a target in experiment files. */
  readonly name: string;
  /** The label in the form, with its unit in brackets. */
  readonly label: string;
  /**
   * The type of the value. password: a secret, which the form hides and the journal never gets. map: texts by name,
   * such as settings of the session.
   */
  readonly kind: 'text' | 'number' | 'password' | 'boolean' | 'choice' | 'map';
  /** Values of a choice. */
  readonly choices?: readonly string[];
  /** The default value, or an example. */
  readonly placeholder?: string;
  /** Default: false. */
  readonly required?: boolean;
  /** A sentence below the field, also in the documentation. Default: none. */
  readonly help?: string;
  /** Bounds of a number, both inclusive; numbers are whole. Default: none. */
  readonly min?: number;
  /** See `min`. */
  readonly max?: number;
  /** The form shows the field on request only: the connection works without it. Default: false. */
  readonly advanced?: boolean;
  /**
   * A folder of this machine in which the engine creates files, or a file that it changes: a saved connection may name
   * any one, an experiment file only one in Dyno's home. Default: false.
   */
  readonly makesFiles?: true;
  /**
   * The ways in which values of the field use this machine, beyond the connection itself; plain: none. Every field has
   * to declare them.
   */
  readonly localUse: 'plain' | readonly LocalUse[];
}

/** A target's parsed, complete configuration. Only the engine whose config.ts made it reads it. It may hold secrets. */
export type EngineConfig = Readonly<Record<string, unknown>>;

declare const guarded: unique symbol;

/**
 * The configuration of a target that the trust gate has let through, or of the engine that measures Dyno itself. Worker
 * processes and emulators take no other. orchestrator/worker/targets.ts makes it, and no other file.
 */
export type GuardedConfig = EngineConfig & { readonly [guarded]: true };

/** The target with redirected connections (ConfigParser.through). */
export const configThrough = <C extends EngineConfig>(
  { through }: Pick<ConfigParser, 'through'>,
  config: C,
  instead: (endpoint: Endpoint) => Endpoint,
  // The engine's own parser changes only the addresses, so the target stays trusted.
): C => (through?.(config, instead) ?? config) as C;

/**
 * The target with the TLS that a variant asks for (the setting `tls`).
 * @throws the errors of ConfigParser.withTls.
 */
export const configWithTls = <C extends EngineConfig>(
  { withTls }: Pick<ConfigParser, 'withTls'>,
  config: C,
  tls: 'default' | 'off' | 'on',
  // The engine's own parser changes TLS alone, and never takes it away, so the target stays trusted.
): C => (tls === 'default' ? config : ((withTls?.(config, tls === 'on') ?? config) as C));

/** The host and port of a TCP connection. */
export interface Endpoint {
  /** A name or an address; an IPv6 address has no brackets. */
  readonly host: string;
  /** A number from 1 to 65,535. */
  readonly port: number;
}

/** Recognises a server of an engine without a login and without TLS. */
export interface Greeting {
  /** Bytes that the server answers; null: the server sends first. */
  readonly ask: Uint8Array | null;
  /** True if a server of this engine begins its answer with these bytes. */
  isAnswer(bytes: Uint8Array): boolean;
}

/** The exports of each engine's config.ts, which also runs outside worker processes and does not load the driver. */
export interface ConfigParser {
  /** Default: the engine has no field `url`. */
  readonly connectionStrings?: ConnectionStrings;
  /**
   * Parses a target of an experiment, with `${env:…}` already resolved. A field `url` takes what `connectionStrings`
   * reads.
   * @throws DynoError 'badInput' that names the key.
   */
  parse(raw: Readonly<Record<string, unknown>>): EngineConfig;
  /** The configuration for the window and the journal: without secrets. */
  describe(config: EngineConfig): { readonly address: string; readonly details: Readonly<Record<string, string>> };
  /** A sentence about an unsafe connection, with its remedy. Null or absent: no danger is known. */
  warning?(config: EngineConfig): string | null;
  /**
   * Hosts and TCP ports that must answer before the driver can. port null: the driver finds the port. Empty: there is
   * no network.
   */
  endpoints(config: EngineConfig): readonly { readonly host: string; readonly port: number | null }[];
  /**
   * Why the driver connects to hosts that `endpoints` does not name, as a sentence; null or absent: it connects to
   * none.
   */
  leadsElsewhere?(config: EngineConfig): string | null;
  /**
   * The Unix socket by which the target is reached; it is no endpoint. Null: TCP. Default: no target of the engine is
   * reached so.
   */
  socketFile?(config: EngineConfig): string | null;
  /** The DNS record (SRV) from which the driver learns the hosts. Null and default: the driver needs none. */
  hostsRecord?(config: EngineConfig): string | null;
  /** Default: there is no network, and so no greeting. */
  readonly greeting?: Greeting;
  /**
   * The target with redirected connections: `instead` returns the new address of each endpoint that has a port.
   * Certificates are still checked against the target's own names, and messages still name it. Default: there is no
   * network.
   * @throws DynoError 'unsupported' if the driver would not use these addresses, or could not check the certificate.
   */
  through?(config: EngineConfig, instead: (endpoint: Endpoint) => Endpoint): EngineConfig;
  /**
   * The target with TLS, whose certificate is verified, or without TLS. A target that has TLS keeps it as it is. The
   * files that it names are read here, because sessions may be opened on another machine. Default: the engine has no
   * such choice (descriptor.tls).
   * @throws DynoError 'unsupported' where TLS would have to be taken away, or the connection can have none.
   */
  withTls?(config: EngineConfig, on: boolean): EngineConfig;
  /**
   * The target with sessions in which the server refuses writes, as the descriptor's `readOnlySessions` says. Default:
   * the engine has no such sessions.
   */
  readOnly?(config: EngineConfig): EngineConfig;
  /**
   * A commented script, in the engine's own language, with which a DBA creates a user for Dyno with the least privilege
   * it needs: own tables, and each group of server counters. It names the config's user and database, and never a
   * password. Null: the engine has no privileges.
   */
  grants(config: EngineConfig): string | null;
}
