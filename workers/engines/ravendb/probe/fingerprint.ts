import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { ErrorData } from '#model/error.ts';
import { Refusals } from '../../shared/refusals.ts';
import type { RavenConfig } from '../config.ts';
import type { Link } from '../connection/link.ts';
import { toError } from '../errors.ts';
import { hasDatabase } from '../schema/tables.ts';

interface Licence {
  readonly Type?: string;
  readonly Status?: string;
  readonly MaxCores?: number;
  readonly MaxMemory?: number;
  readonly MaxClusterSize?: number;
}
interface Cluster {
  readonly NodeTag?: string;
  readonly Topology?: { readonly Members?: Readonly<Record<string, string>> };
  readonly NodeLicenseDetails?: Readonly<Record<string, NodeDetails>>;
}
interface NodeDetails {
  readonly UtilizedCores?: number;
  readonly NumberOfCores?: number;
  readonly InstalledMemoryInGb?: number;
  readonly UsableMemoryInGb?: number;
  readonly OsInfo?: { readonly FullName?: string };
}
interface DatabaseRecord {
  readonly Encrypted?: boolean;
  readonly Settings?: Readonly<Record<string, string | null>> | null;
  readonly Topology?: { readonly Members?: readonly string[] };
}
interface Memory {
  readonly MemoryInformation?: { readonly WorkingSet?: string };
  readonly Humane?: { readonly WorkingSet?: string };
}
/** The certificate of a client: its clearance, and its rights by database (Read, ReadWrite, Admin). */
interface Whoami {
  readonly SecurityClearance?: string;
  readonly Permissions?: Readonly<Record<string, string>>;
}
interface Stats {
  readonly Pager?: string;
}

/**
 * Reads version, licence and settings. Every user may read the version; the rest needs more rights, and is listed if it
 * is refused.
 */
export async function fingerprint(link: Link, config: RavenConfig, version: string): Promise<Fingerprint> {
  const refusals = new Refusals<string>(toError, (kind) => kind === 'permission' || kind === 'unsupported');
  const ask = async <A>(what: string, path: string, ofServer = true): Promise<Partial<A>> => {
    const reason = ({ kind, message }: ErrorData) =>
      `${what}: ${message}${kind === 'permission' ? ' Needs the security clearance Operator (dyno grants TARGET).' : ''}`;
    return ((await refusals.ask(what, () => link.ask({ path, ofServer }), reason)) ?? {}) as Partial<A>;
  };
  const isThere = await hasDatabase(link);
  const database = encodeURIComponent(config.database);
  const build = await ask<{ BuildVersion: number; CommitHash: string }>('Build', '/build/version');
  const licence = await ask<Licence>('Licence', '/license/status');
  const cluster = await ask<Cluster>('Cluster', '/cluster/topology');
  const stats = isThere ? await ask<Stats>('Storage', '/stats', false) : {};
  const record = isThere
    ? await ask<DatabaseRecord>('Settings of the database', `/admin/databases?name=${database}`)
    : {};
  const memory = await ask<Memory>('Memory', '/admin/debug/memory/stats');
  const mayWrite = config.certificate === null || (await certificateWrites(link, config.database));
  const node = cluster.NodeLicenseDetails?.[cluster.NodeTag ?? ''] ?? {};
  return {
    product: `RavenDB ${version}`,
    version,
    emulator: null,
    durability: texts({
      // Manual, "Storage Engine - Voron": a transaction is over when its journal entry is on disk. There is no setting
      // for less.
      acknowledged: 'when the transaction is in the journal on disk',
      nodes: record.Topology?.Members?.length,
      pager: stats.Pager,
      encrypted: record.Encrypted,
    }),
    memory: texts({
      licenceMemory: atMost(licence.MaxMemory, 'GiB'),
      usableMemory: gib(node.UsableMemoryInGb),
      installedMemory: gib(node.InstalledMemoryInGb),
      workingSet: memory.MemoryInformation?.WorkingSet ?? memory.Humane?.WorkingSet,
    }),
    other: texts({
      storageEngine: 'Voron',
      licence: licenceText(licence),
      licenceCores: atMost(licence.MaxCores, 'cores'),
      licenceNodes: atMost(licence.MaxClusterSize, 'nodes'),
      usedCores:
        node.UtilizedCores === undefined
          ? undefined
          : `${node.UtilizedCores} of ${node.NumberOfCores ?? 'those there'}`,
      clusterNodes: Object.keys(cluster.Topology?.Members ?? {}).length || undefined,
      system: node.OsInfo?.FullName?.replaceAll('"', ''),
      tls: config.certificate === null ? 'off' : config.verifyServer ? 'on' : 'on, server not checked',
      build: build.CommitHash,
      ...record.Settings,
    }),
    ...(mayWrite !== null && { mayWrite }),
    unavailable: refusals.reasons,
  };
}

/** True if the client's certificate may change documents of the database. Null: the server does not report it. */
async function certificateWrites(link: Link, database: string): Promise<boolean | null> {
  try {
    const found = (await link.ask({ path: '/certificates/whoami', ofServer: true })) as Whoami | null;
    return found === null ? null : writesBy(found, database);
  } catch {
    return null;
  }
}

/**
 * Reads the right from the server's answer. A server without a licence has no certificates that may only read. Pure.
 */
export function writesBy(
  { SecurityClearance: clearance, Permissions: rights }: Whoami,
  database: string,
): boolean | null {
  if (!clearance) return null;
  if (clearance !== 'ValidUser') return true;
  const named = Object.entries(rights ?? {}).find(([name]) => name.toLowerCase() === database.toLowerCase());
  return named !== undefined && named[1] !== 'Read';
}

const licenceText = ({ Type: type, Status: status }: Licence): string | undefined =>
  type === undefined ? undefined : type === 'None' ? `none (${status ?? 'unlicensed'})` : type;

/** Zero is "no limit". */
const atMost = (limit: number | undefined, unit: string): string | undefined =>
  limit === undefined ? undefined : limit > 0 ? `${limit} ${unit} at most` : 'no limit';

const gib = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : `${value.toFixed(1)} GiB`;

const texts = (facts: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  );
