import { DynoError } from '#model/error.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { ConfigField } from '../config.ts';
import type { TlsMode } from '../server-fields.ts';
import type { Parameter, Reading, Value, Values } from './connection-strings.ts';
import { escapesHint } from './url-parts.ts';

/** The outcome of reading one setting. */
export interface Taken {
  /** The values by the names of the engine's fields. Default: none. */
  readonly values?: Values;
  /** A sentence about a setting that becomes another one. */
  readonly note?: string;
  /**
   * The reason why nothing is taken over: the connection would be less safe. It has names and fixed words of settings
   * alone.
   */
  readonly problem?: string;
  /** True: Dyno must not write over the connection. Default: false. */
  readonly readOnly?: boolean;
  /** The reason why the setting is not taken over, as the rest of a sentence. */
  readonly leftOut?: string;
}

/** The field that takes the setting as it is, or a function that converts it. */
type Rule = string | ((value: string, name: string) => Taken);
/** Rules by the names of settings; {@link plainName} gives the names their form. */
export type Rules = Readonly<Record<string, Rule>>;

/** The name of a setting in one form: in small letters, without blanks, dashes and underscores. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

/** The rule for a setting that does not affect the connection. */
export const ignored = (): Taken => ({});

/** The rules for settings that are not taken over for the same reason. */
export const leftOut = (reason: string, names: string): Rules =>
  Object.fromEntries(names.split(' ').map((name) => [name, () => ({ leftOut: reason })]));

/** The values that programs write for yes and no; null: the text is neither. */
export const isYes = (value: string): boolean | null =>
  /^(true|yes|on|1|sspi)$/i.test(value) ? true : /^(false|no|off|0)$/i.test(value) ? false : null;

/** Takes `seconds` as the time limit of the login. */
export const timeoutOf = (seconds: string): Taken =>
  /^\d{1,5}$/.test(seconds) && Number(seconds) > 0 ? { values: { connectTimeoutMs: Number(seconds) * 1_000 } } : {};

/** Takes `ms` as the time limit of the login. */
export const timeoutMsOf = (ms: string): Taken =>
  /^\d{1,7}$/.test(ms) && Number(ms) > 0 ? { values: { connectTimeoutMs: Number(ms) } } : {};

/** Takes the host of a list, if the list has one host. */
export const oneHost = (value: string): Taken =>
  value.includes(',') ? { problem: severalHosts } : { values: { host: value } };

/** The problem of a text that names several hosts. */
export const severalHosts = 'It names several hosts, and Dyno connects to one.';

/** Marks the connection as one over which nothing may be written. */
export const readOnlyIfYes = (value: string): Taken => (isYes(value) === false ? {} : { readOnly: true });

/** Takes settings of sessions as texts, which SET at the beginning of each session applies. */
export const sessionSetting =
  (name: string): Rule =>
  (value) => ({ values: { sessionSettings: { [name]: value } } });

/**
 * The TLS mode for a mode of libpq, MySQL or their drivers. A mode that only tries TLS, or checks the certificate
 * without the host's name, becomes the next stricter one.
 */
export function tlsModeOf(mode: string): { readonly ssl?: TlsMode; readonly note?: string; readonly problem?: string } {
  const word = plainName(mode);
  const rejects = /"rejectunauthorized":(true|false)/.exec(word)?.[1];
  if (rejects !== undefined) return { ssl: rejects === 'true' ? 'verify-full' : 'require' };
  if (/^(disabled?|none|false|off|0|no)$/.test(word)) return { ssl: 'disable' };
  if (/^(required?|true|trust|noverify|skipverify|1|on|yes)$/.test(word)) return { ssl: 'require' };
  if (/^(verifyfull|verifyidentity|strict)$/.test(word)) return { ssl: 'verify-full' };
  if (word === 'verifyca')
    return { ssl: 'verify-full', note: 'The TLS mode verify-ca becomes verify-full: it checks the host name, too.' };
  if (/^(allow|prefer|preferred)$/.test(word))
    return { ssl: 'require', note: `The TLS mode ${word} becomes require: Dyno does not fall back to no TLS.` };
  return { problem: 'It names a TLS mode that Dyno does not know.' };
}

/** Settings of pools and of other things that Dyno does in its own way, and names of programs. */
export const dynosOwn: Rules = {
  ...Object.fromEntries(
    ['driver', 'driver64', 'setup', 'description', 'dialect', 'provider', 'adapter', 'persistsecurityinfo'].map(
      (name) => [name, ignored],
    ),
  ),
  ...leftOut(
    'Dyno opens each connection of a trial itself and has no pool',
    'pool poolsize poolname pooltimeout pooling poolmode poolrecycle poolpreping poolmaxconns poolminconns maxpoolsize minpoolsize maximumpoolsize minimumpoolsize maxpool minpool maxoverflow connectionlimit connectionidlelifetime connectionidletimeout connectionlifetime connectionlifetimeinpool connectionpruninginterval connectionreset connmaxage maxlifetime idletimeout maxidletime minimumidle maxidle pgbouncer checkouttimeout reapingfrequency maxconnlifetime maxconnidletime queuelimit waitforconnections loadbalancetimeout poolblockingperiod incrpoolsize decrpoolsize validateconnection maxconnections statementcachesize',
  ),
  ...leftOut(
    'it tunes the other driver, and an experiment’s method takes its place',
    'preparethreshold preparedstatementcachequeries preparedstatementcachesizemib preparedstatementcachesize binarytransfer binarytransferenable binarytransferdisable defaultrowfetchsize defaultfetchsize rewritebatchedinserts rewritebatchedstatements preferquerymode maxautoprepare autoprepareminusages statementcachecapacity statementcachemode defaultqueryexecmode preparestatements preparedstatements cacheprepstmts prepstmtcachesize prepstmtcachesqllimit useserverprepstmts usecursorfetch usecompression usebulkstmts usebulkstmtsforinserts cacheresultsetmetadata cacheserverconfiguration cachecallablestmts uselocalsessionstate uselocaltransactionstate elidesetautocommits maintaintimestats allowmultiqueries allowbatch multistatements multipleactiveresultsets mars mars_connection marsconnection packetsize sendstringparametersasunicode selectmethod responsebuffering disablestatementpooling statementpoolingcachesize usebulkcopyforbatchinsert fastexecutemany readbuffersize writebuffersize socketreceivebuffersize socketsendbuffersize sendbuffersize receivebuffersize noresetonclose columnencryptionsetting interpolateparams columnswithalias clientfoundrows foundrows useaffectedrows preparestatementcachesize useunicode implicitcachesize streammode allowuservariables treattinyasboolean tinyint1isbit tinyint1asboolean convertzerodatetime allowzerodatetime zerodatetimebehavior nullcatalogmeansschema nullcatalogmeanscurrent nulldatabasemeanscurrent usessps useinformationschema dumpqueriesonexception escapesyntaxcallmode autosave cleanupsavepoints stringtype reconnect autoreconnect failoverreadonly retriesalldown maxreconnects initialtimeout connectretrycount connectretryinterval retry retries connectionretries retrycount retrydelay enlist transactionbinding asynchronousprocessing async guidformat oldguids pipelining multiplexing createdatabaseifnotexist noaccesstoprocedurebodies jdbccomplianttruncation generatesimpleparametermetadata holdresultsopenoverstatementclose donttrackopenresources assumeminserverversion logunclosedconnections hideunprivilegedobjects databasemetadatacachefields databasemetadatacachefieldsmib disablecolumnsanitiser allowencodingchanges unknownlength adaptivefetch adaptivefetchminimum adaptivefetchmaximum maxresultbuffer lastupdatecount xopenstates sendtimeasdatetime cancelquerytimeout servernameasace usefmtonly delayloadinglobs preparemethod bulkcopyforbatchinsertbatchsize longasmax arraynullabilitymode loadtablecomposites writecoalescingbufferthresholdbytes socketreceivebuffer noninferschema future',
  ),
  ...leftOut(
    'Dyno names its sessions itself',
    'applicationname appname app fallbackapplicationname programname workstationid wsid connectionattributes connectattrs currentlanguage language',
  ),
  ...leftOut(
    'Dyno speaks UTF-8 with every server, and times are in UTC',
    'charset charsetname characterset clientencoding encoding characterencoding collation connectioncollation unicode utf8 parsetime loc servertimezone connectiontimezone forceconnectiontimezonetosession uselegacydatetimecode usejdbccompliantttimezoneshift usejdbccompliantimezoneshift usejdbccomplianttimezoneshift usetimezone datestrings timezone defaultcharacterset autotranslate',
  ),
  ...leftOut(
    'Dyno’s drivers have no such setting',
    'keepalive keepalives keepalivesidle keepalivesinterval keepalivescount tcpkeepalive tcpkeepalivetime tcpkeepaliveinterval tcpnodelay tcpusertimeout tcpfastopen sockettimeout readtimeout writetimeout commandtimeout querytimeout locktimeoutms cancelsignaltimeout cancellationtimeout internalcommandtimeout defaultcommandtimeout loggerlevel loggerfile loglevel log logserverrordetail logservererrordetail logparameters includeerrordetail profilesql debug trace tracefile traceenable traceprotocol loadbalancehosts hostrecheckseconds hostrecheckinseconds description dsn protocol failoverpartner contextconnection userinstance typesystemversion net networklibrary network type autocommit option columnsizes32 tdsversion serverspn clientport allowloadlocalinfile allowloadlocalinfileinpath allowurlinlocalinfile maxallowedpacket localsocketaddress useconfigs paranoid serveraffinity databasetype disallowsplitpackets readpreferencetags poolid extrafloatdigits connectionpooling serverversion unixsocketdir cinitialtimeout minsessions noop odbcversion',
  ),
};

/** Names that concern safety: an unknown setting with such a name is refused instead of ignored. */
const concernsSafety =
  /ssl|tls|encrypt|cert|trust|verif|krb|pass(word|wd)?$|secret|token|gss|kerberos|auth|secur|cipher|crl|fips|wallet|integrity|checksum|read-?only|require|validat|proxy|tunnel|socketfactory/i;
/** SET TRANSACTION READ ONLY, or a variable such as transaction_read_only that is not switched off. */
const readOnlyIn = /(?<![a-z])read[\s_-]*only(?![a-z])(?!\s*(?::?=|to)\s*["']?(?:off|0|false|no)\b)/i;
/** True for a statement that begins sessions which only read, and for an option of that kind. */
export const asksToRead = (text: string): boolean => readOnlyIn.test(text);
/** Settings that are switched off have no effect. */
const isOff = (value: string): boolean => value === '' || /^(false|no|off|0|disabled?|none|null)$/i.test(value);

interface Rest {
  /** The engine's label, for messages. */
  readonly label: string;
  /** The engine's fields; their kinds decide how a text is converted. */
  readonly fields: readonly ConfigField[];
  /** The rule for settings without a rule of their own. Default: the notes name them as not taken over. */
  readonly others?: (value: string, name: string) => Taken;
}

/**
 * Reads the settings of a connection string, or of another program, by the rules for their names. Notes name those that
 * are not taken over. Messages repeat no values.
 * @throws DynoError 'badInput' if the connection would be less safe than the settings say, or if a setting may be the
 * rest of a password.
 */
export function readSettings(settings: Iterable<Parameter>, rules: Rules, { label, fields, others }: Rest): Reading {
  const values: Record<string, Value> = {};
  const notes: string[] = [];
  const without = new Map<string, string[]>();
  let readOnly = false;
  let hasPassword = false;
  for (const [name, value, isQuoted = false] of settings) {
    const plain = plainName(name);
    const rule = Object.hasOwn(rules, plain) ? rules[plain] : undefined;
    if (rule === undefined && hasPassword)
      throw new DynoError('badInput', 'Behind the password stands a setting that Dyno does not know.', {
        hint: 'If it belongs to the password, write the special characters of the password as the connection string wants them (in a URL & as %26, elsewhere the whole value in quotes). Else write the setting before the password, or leave it out.',
      });
    if (value === '' && rule !== undefined) continue;
    const taken =
      rule !== undefined
        ? applied(rule, name, value, fields)
        : others && !concernsSafety.test(name)
          ? others(value, name)
          : unknown(name, value, rules, label);
    if (taken.problem !== undefined) throw new DynoError('badInput', taken.problem, { hint: hintOf(name, rules) });
    for (const [field, one] of Object.entries(taken.values ?? {}))
      values[field] = typeof one === 'object' ? { ...(values[field] as object | undefined), ...one } : one;
    if (taken.note !== undefined) notes.push(taken.note);
    if (taken.leftOut !== undefined) without.set(taken.leftOut, [...(without.get(taken.leftOut) ?? []), shown(name)]);
    readOnly ||= taken.readOnly === true || hasReadOnlySessions(taken);
    hasPassword ||=
      !isQuoted && fields.some((field) => field.kind === 'password' && taken.values?.[field.name] !== undefined);
  }
  for (const [reason, names] of without) notes.push(notTaken(names, reason));
  return { values, notes, readOnly };
}

/** A variable such as transaction_read_only among the session settings that is not switched off. */
function hasReadOnlySessions({ values }: Taken): boolean {
  const settings = values?.sessionSettings;
  return (
    typeof settings === 'object' &&
    Object.entries(settings).some(([name, value]) => /read[_-]?only$/i.test(name) && !isOff(value.trim()))
  );
}

/** A text that is no single word may be a part of a connection string, with its password. */
const isWord = (name: string): boolean => /^[\w .-]{1,60}$/.test(name);
const shown = (name: string): string => (isWord(name) ? name : 'one that is no word');

const hintOf = (name: string, rules: Rules): string | null =>
  Object.hasOwn(rules, plainName(name)) || !isWord(name)
    ? 'Take it out, or set what Dyno has in its place.'
    : (didYouMean(name, Object.keys(rules)) ?? 'Take it out, if the connection may do without it.');

function unknown(name: string, value: string, rules: Rules, label: string): Taken {
  if (/^(default)?read-?_?only(mode)?$/i.test(name)) return readOnlyIfYes(value);
  // A statement or an option for the beginning of sessions, under any name.
  if (asksToRead(value))
    return { readOnly: true, note: `Its setting ${shown(name)} asks for sessions that only read.` };
  const isMistyped = isWord(name) && (didYouMean(plainName(name), safetyNames(rules)) ?? null) !== null;
  if ((concernsSafety.test(name) || isMistyped) && !isOff(value))
    return {
      problem: `It has a setting${isWord(name) ? ` “${name}”` : ''} that ${label} targets do not know, and it may concern safety.`,
    };
  return { leftOut: 'Dyno does not know it' };
}

const safetyNames = (rules: Rules): readonly string[] => Object.keys(rules).filter((name) => concernsSafety.test(name));

const mostNamed = 12;

function notTaken(names: readonly string[], reason: string): string {
  const shownNames = names.slice(0, mostNamed);
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `Not taken over: ${shownNames.join(', ')}${more} (${reason}).`;
}

const applied = (rule: Rule, name: string, value: string, fields: readonly ConfigField[]): Taken =>
  typeof rule === 'string' ? { values: { [rule]: typedValue(fields, rule, value) } } : rule(value, name);

/**
 * Converts a value by the kind of its field. A value that does not fit stays text, and the engine's parser refuses it
 * by the field's name.
 */
function typedValue(fields: readonly ConfigField[], name: string, value: string): Value {
  const kind = fields.find((field) => field.name === name)?.kind;
  if (kind === 'number' && /^\d{1,15}$/.test(value)) return Number(value);
  if (kind === 'boolean' && isYes(value) !== null) return isYes(value) === true;
  return value;
}

/**
 * The values of a target's key `url`, for {@link ConfigParser.parse}. An experiment's target has no mark that keeps it
 * from writing.
 * @throws DynoError 'badInput' for a text that is no connection string of the engine, or that asks for a connection
 * that may only read.
 */
export function valuesOfUrl(
  { label, example }: { readonly label: string; readonly example: string },
  read: (text: string) => Reading | null,
  url: unknown,
): Values {
  if (url === undefined || url === null || url === '') return {};
  const reading = typeof url === 'string' ? read(url) : null;
  if (reading === null)
    throw new DynoError('badInput', `url is not a ${label} URL.`, { hint: `It looks like ${example}. ${escapesHint}` });
  if (reading.readOnly)
    throw new DynoError(
      'badInput',
      'url asks for a connection that only reads, and a target of a file has no such mark.',
      {
        hint: 'Save it as a connection (dyno connections import), which is then marked as production and writes nothing; or take the setting out.',
      },
    );
  return reading.values;
}

/** The part of a URL before its parameters. */
interface Parts {
  /** A name, an address or a path. */
  readonly host?: string | undefined;
  /** A TCP port. */
  readonly port?: number | null | undefined;
  /** The user who logs in. */
  readonly user?: string | null | undefined;
  /** The password, a secret. */
  readonly password?: string | null | undefined;
  /** The database. */
  readonly path?: string | null | undefined;
}

/** The parts of a URL by the names that fields have in most engines, and its parameters, which win. */
export function withParts(read: Reading, { host, port, user, password, path }: Parts): Reading {
  const values = {
    ...(host && { host }),
    ...(port != null && { port }),
    ...(user && { user }),
    ...(password && { password }),
    ...(path && { database: path }),
    ...read.values,
  };
  return { ...read, values };
}
