import { readFileSync } from 'node:fs';
import { DynoError } from '#model/error.ts';
import { formatBytes } from '#model/format/format.ts';
import type { ControlRequest, ToHost, ToWorker } from '#protocol/messages.ts';

/** Work of a worker process with a limit on its memory. */
interface Work {
  /** Completes the sentence "The process that talks to the server took … of memory while it …". */
  readonly what: string;
  /** MiB by which the process may grow meanwhile. */
  readonly most: number;
}

/**
 * The largest growth of a real login is 37 MB, on RavenDB; loading the library for Microsoft Entra ID takes 39 MB. A
 * server of another product can make a driver loop, and take memory without end.
 */
const login: Work = { what: 'logged in', most: 64 };
/** A server may send data that nobody has asked for. */
const idle: Work = { what: 'waited for its next task', most: 256 };
/** Work whose memory depends on the user's request: rows of a trial, a list of 2,000,000 values. */
const largest = 4_096;
const trial: Work = { what: 'ran its part of the trial', most: largest };

/** Answers have a few kilobytes; a driver's garbage is some ten megabytes. */
const few = 256;
/** Batches of rows are made, sent and read one after another: 300 MB at most in loads of wide rows. */
const batches = 2_048;
/** Values of rows that are kept: lists of 2,000,000 rows or 64,000,000 characters. */
const rows = largest;

const works: Readonly<Record<ControlRequest['call'], Work>> = {
  ping: { what: 'waited for the answer to its first statement', most: few },
  cap: { what: 'took over a limit on statements', most: few },
  fingerprint: { what: 'read version and settings', most: few },
  prepareSchema: { what: 'made a table', most: few },
  load: { what: 'loaded a table', most: batches },
  storeRows: { what: 'read a file of rows', most: batches },
  verifyRanges: { what: 'verified rows', most: batches },
  addKey: { what: 'added a key', most: few },
  addIndex: { what: 'made an index', most: few },
  removeIndex: { what: 'dropped an index', most: few },
  setUp: { what: 'ran a statement of setup', most: few },
  settle: { what: 'waited for the server’s background work', most: few },
  emptyCache: { what: 'emptied the server’s cache', most: few },
  probe: { what: 'read the server’s counters', most: few },
  waits: { what: 'read the server’s waits', most: few },
  probeInfo: { what: 'listed the server’s counters', most: few },
  checksum: { what: 'asked for a checksum', most: batches },
  storedBytes: { what: 'asked for the size of a table', most: few },
  pageUse: { what: 'asked for the pages of a table', most: few },
  untrustedForeignKeys: { what: 'asked for foreign keys', most: few },
  drop: { what: 'dropped a table', most: few },
  leftovers: { what: 'listed tables', most: few },
  dropLeftovers: { what: 'dropped tables', most: few },
  sessionsOf: { what: 'counted sessions', most: few },
  freeSpace: { what: 'asked for free space', most: few },
  serverParameters: { what: 'read parameters of the server', most: few },
  parameterStates: { what: 'read the state of parameters', most: few },
  changeParameters: { what: 'changed parameters of the server', most: few },
  roundTrip: { what: 'measured the round trip', most: few },
  generation: { what: 'made rows', most: batches },
  userTables: { what: 'listed your tables', most: few },
  keptStatements: { what: 'listed counted statements', most: few },
  tableFacts: { what: 'read the statistics of tables', most: rows },
  tableFigures: { what: 'compared tables', most: rows },
  query: { what: 'read the rows of a query', most: rows },
  tryOnce: { what: 'tried a statement', most: 1_024 },
  compareAnswers: { what: 'compared the answers of statements', most: 1_024 },
  giveAnswers: { what: 'answered statements', most: 1_024 },
  abort: { what: 'stopped what it did', most: few },
};

/** Raises the limits after the login to this many MiB, for servers with larger answers. */
const raisedBy = 'DYNO_WORKER_MEMORY_MIB';

/** Between two checks of a login, a driver that copies what it receives grows by a few megabytes. */
const lookAtLoginMs = 10;
/** A driver that keeps rows grows by some 50 MB in this time. */
const lookMs = 100;

interface WorkerMemory {
  /** Takes the messages to the worker. */
  told(message: ToWorker): void;
  /** Takes the messages of the worker. */
  message(message: ToHost): void;
  close(): void;
}

/** Work in progress, with the bytes of the process when it began; Infinity: the system does not report them. */
interface Begun {
  readonly work: Work;
  readonly before: number;
}

/**
 * Ends a worker whose memory grows beyond the limit of its work. A server can make a driver loop without end, or keep
 * data that never ends: the worker then obeys no time limit of its own, and only another process can end it. `memoryOf`
 * returns the bytes of the process, or null if the system does not report them.
 */
export function watchWorkerMemory(
  pid: number,
  end: (reason: DynoError) => void,
  memoryOf: (pid: number) => number | null = bytesOf,
  environment: NodeJS.ProcessEnv = process.env,
): WorkerMemory {
  const raised = Number(environment[raisedBy]) || 0;
  const requests = new Map<number, Begun>();
  let timer: NodeJS.Timeout | undefined;
  let phase: Begun = { work: login, before: 0 };
  const begin = (work: Work): Begun => ({ work, before: memoryOf(pid) ?? Number.POSITIVE_INFINITY });
  const close = () => clearInterval(timer);
  const enter = (work: Work) => {
    close();
    phase = begin(work);
    timer = setInterval(look, work === login ? lookAtLoginMs : lookMs);
  };
  const look = () => {
    const now = memoryOf(pid);
    if (now === null) return;
    const all = requests.size === 0 || phase.work !== idle ? [phase, ...requests.values()] : [...requests.values()];
    // Overlapping tasks share their memory, so the largest limit counts, from the smallest beginning on.
    const { work } = all.reduce((one, other) => (other.work.most > one.work.most ? other : one));
    const grown = now - Math.min(...all.map(({ before }) => before));
    if (grown <= (work === login ? work.most : Math.max(work.most, raised)) * 2 ** 20) return;
    close();
    end(work === login ? tooMuchForLogin(grown) : tooMuch(work, grown));
  };
  return {
    told(message) {
      if (message.type === 'request') requests.set(message.id, begin(works[message.request.call]));
      if (message.type === 'prepare') enter(trial);
    },
    message(message) {
      if (message.type === 'loaded') enter(login);
      if (message.type === 'ready') enter(idle);
      if (message.type === 'response' && requests.delete(message.id) && phase.work === idle) phase = begin(idle);
    },
    close,
  };
}

const tooMuchForLogin = (bytes: number): DynoError =>
  new DynoError('unreachable', `The driver took ${formatBytes(bytes)} of memory for the login, so it was ended.`, {
    hint: 'What answers there is no server of this engine: check host and port.',
  });

const tooMuch = ({ what }: Work, bytes: number): DynoError =>
  new DynoError(
    'workerGone',
    `The process that talks to the server took ${formatBytes(bytes)} of memory while it ${what}, so it was ended.`,
    {
      code: 'memory',
      hint: `Ask for fewer or smaller rows. Where the server is to answer so much, set ${raisedBy} in the environment to the MiB that a process may take.`,
    },
  );

/** Linux counts in pages (proc(5), statm), whose size is 4 KiB on x64 and the usual one on arm64. */
const pageBytes = 4_096;

/** Files are left out: a driver's libraries can have more than a hundred megabytes, and no server makes them grow. */
function bytesOf(pid: number): number | null {
  try {
    const [, resident, ofFiles] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number);
    return Number.isFinite(resident) && Number.isFinite(ofFiles) ? (resident! - ofFiles!) * pageBytes : null;
  } catch {
    return null;
  }
}
