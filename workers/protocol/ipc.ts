import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type {
  CheckReport,
  ConnectionDraft,
  ConnectionEntry,
  ConnectionList,
  DraftOpinion,
  PasswordNeed,
  Passwords,
  ReadUrl,
} from '#model/connections.ts';
import type { ErrorData, Result } from '#model/error.ts';
import type { TriedItem, TryReport, UserTable } from '#model/statements/statements.ts';
import type { Diagnostic } from '#model/text/diagnostic.ts';
import type { Estimate } from './estimate.ts';
import type { GalleryPage } from './gallery-page.ts';
import type { JournalEntry, Precision } from './journal.ts';
import type { Plan } from './plan.ts';
import type { Previewed } from './preview.ts';

/** An experiment file in the library. `id` is opaque to the page; it never sees or sends a path to open. */
export interface LibraryEntry {
  readonly id: string;
  readonly name: string;
  readonly question: string;
  readonly origin: 'gallery' | 'mine';
  readonly targets: readonly string[];
  readonly modifiedAt: string;
  /** Set where the file cannot be read as an experiment. */
  readonly problem: string | null;
}

export interface RunEntry {
  readonly id: string;
  readonly name: string;
  /** Which of the experiment's sizes was run; null: it has none. */
  readonly size: string | null;
  readonly startedAt: string;
  readonly status: 'running' | 'complete' | 'cancelled' | 'interrupted' | 'unreadable';
  readonly trialsDone: number;
  /** Null: of a search that is not over, which chooses them as it goes on. */
  readonly trialsPlanned: number | null;
  readonly targets: readonly string[];
  readonly bytes: number;
}

export interface Checked {
  readonly diagnostics: readonly Diagnostic[];
  readonly plan: Plan | null;
  /** From earlier trials on this machine where there are any, else from the measurement plan. */
  readonly estimateSeconds: Estimate | null;
}

export interface AppInfo {
  readonly version: string;
  readonly runtime: Readonly<Record<string, string>>;
  readonly engines: readonly EngineDescriptor[];
  /** Built-in targets (EngineDescriptor.builtIn) without a server on this machine: what is missing, how to add it. */
  readonly missing: Readonly<Record<string, { readonly what: string; readonly fix: string }>>;
  readonly jsonSchema: unknown;
  readonly home: string;
}

/** A run that has begun, or the passwords to ask for first. */
type Started = { readonly runId: string } | { readonly needs: readonly PasswordNeed[] };

/** What a test is of: the form as it stands, a saved connection, or a built-in target by its name. */
export type Tested = { readonly draft: ConnectionDraft } | { readonly id: string } | { readonly builtIn: string };

/** What the page may ask of the shell: channel → argument and answer. Both ends are derived from this map. */
export interface Requests {
  'app:info': { argument: null; answer: AppInfo };
  /** Name of the experiment whose changes would be lost with the window; null: none. */
  'app:unsaved': { argument: { readonly name: string | null }; answer: null };
  'experiments:list': { argument: null; answer: readonly LibraryEntry[] };
  /** What the gallery tells of each of its experiments; times from earlier trials on this machine where there are any. */
  'experiments:gallery': { argument: null; answer: readonly GalleryPage[] };
  'experiments:read': {
    argument: { readonly id: string };
    answer: { readonly text: string; readonly entry: LibraryEntry };
  };
  /** Saves in the user's library; with id null (or a gallery id) a new file is made. Answers the entry it became. */
  'experiments:save': { argument: { readonly id: string | null; readonly text: string }; answer: LibraryEntry };
  'experiments:delete': { argument: { readonly id: string }; answer: { readonly undo: string } };
  'experiments:restore': { argument: { readonly undo: string }; answer: LibraryEntry };
  'experiments:import': { argument: null; answer: LibraryEntry | null };
  'experiments:export': {
    argument: { readonly text: string; readonly name: string };
    answer: { readonly saved: boolean };
  };
  /** The first rows of the dataset, or what is wrong with it; asked for anew, an earlier one ends as 'cancelled'. */
  /** `table`: by the name that statements have for it. */
  'experiments:preview': { argument: { readonly text: string; readonly table: string }; answer: Previewed };
  'experiments:check': { argument: { readonly text: string }; answer: Checked };
  /** Runs an own statement, transaction or check once and rolls back; null: each of them, on all targets. One at a time. */
  'statements:try': {
    argument: {
      readonly text: string;
      readonly target: string | null;
      readonly item: TriedItem | null;
      readonly passwords: Passwords;
    };
    answer: { readonly reports: readonly TryReport[] } | { readonly needs: readonly PasswordNeed[] };
  };
  /** Tables of the user's own on a target of the experiment. */
  'statements:tables': {
    argument: { readonly text: string; readonly target: string; readonly passwords: Passwords };
    answer: { readonly tables: readonly UserTable[] } | { readonly needs: readonly PasswordNeed[] };
  };
  'statements:cancel': { argument: null; answer: null };
  'runs:list': { argument: null; answer: readonly RunEntry[] };
  /** `passwords`: those that were asked for; none at first. */
  'runs:start': { argument: { readonly text: string; readonly passwords: Passwords }; answer: Started };
  'runs:resume': { argument: { readonly runId: string; readonly passwords: Passwords }; answer: Started };
  'runs:pause': { argument: { readonly runId: string; readonly paused: boolean }; answer: null };
  'runs:cancel': { argument: { readonly runId: string }; answer: null };
  /** Starts sending this run's records as `run:records` events from the beginning, and goes on while it runs. */
  'runs:watch': { argument: { readonly runId: string }; answer: null };
  /** One `run:records` event has been worked through; a few are sent ahead of that, so that a long journal does not flood the page. */
  'runs:taken': { argument: { readonly runId: string }; answer: null };
  'runs:unwatch': { argument: { readonly runId: string }; answer: null };
  'runs:delete': { argument: { readonly runId: string }; answer: { readonly undo: string } };
  'runs:restore': { argument: { readonly undo: string }; answer: null };
  'runs:import': { argument: null; answer: RunEntry | null };
  'runs:exportReport': {
    argument: { readonly runId: string; readonly anonymous: boolean };
    answer: { readonly saved: boolean };
  };
  'runs:exportJournal': { argument: { readonly runId: string }; answer: { readonly saved: boolean } };
  /** No answer of these ever holds a password that is stored: the page can write and use them, not read them. */
  'connections:list': { argument: null; answer: ConnectionList };
  /** Takes a URL apart, with the parser of the engine that knows it (`engine` null: whichever does). */
  'connections:readUrl': { argument: { readonly url: string; readonly engine: string | null }; answer: ReadUrl };
  'connections:judge': { argument: { readonly draft: ConnectionDraft }; answer: DraftOpinion };
  'connections:save': { argument: { readonly draft: ConnectionDraft }; answer: ConnectionEntry };
  'connections:duplicate': { argument: { readonly id: string }; answer: ConnectionEntry };
  'connections:delete': { argument: { readonly id: string }; answer: { readonly undo: string } };
  'connections:restore': { argument: { readonly undo: string }; answer: ConnectionEntry };
  /** Answers when the test is over; `connection:tested` events tell of each step until then. `testId` is the page's own. */
  'connections:test': {
    argument: { readonly testId: string; readonly tested: Tested; readonly passwords: Passwords };
    answer: { readonly report: CheckReport } | { readonly needs: readonly PasswordNeed[] };
  };
  'connections:cancelTest': { argument: { readonly testId: string }; answer: null };
  /** A chart or table as the user named it; opens a save dialog. `data` is text, or base64 for PNG. */
  'files:save': {
    argument: { readonly name: string; readonly format: 'svg' | 'png' | 'csv'; readonly data: string };
    answer: { readonly saved: boolean };
  };
}
export type Channel = keyof Requests;

/** What the shell tells the page. */
export interface Events {
  'run:records': {
    readonly runId: string;
    readonly records: readonly JournalEntry[];
    readonly upToDate: boolean;
    /** How far into the journal this part reaches. */
    readonly readBytes: number;
    /** Why the file cannot be read any further; null: it can. */
    readonly failure: ErrorData | null;
  };
  /** What a run is doing between records: starting a server, calibrating, loading 40 %… */
  'run:progress': RunProgress;
  'connections:changed': null;
  'connection:tested': { readonly testId: string; readonly report: CheckReport };
  'library:changed': null;
  'runs:changed': null;
  'menu:command': { readonly command: MenuCommand };
}
export type EventName = keyof Events;

/** What the application menu asks of the page; the page decides whether it applies just now. */
export type MenuCommand =
  | 'experiments'
  | 'runs'
  | 'connections'
  | 'newConnection'
  | 'new'
  | 'import'
  | 'importRun'
  | 'save'
  | 'run'
  | 'palette'
  | 'theme'
  | 'help';

export interface RunProgress {
  readonly runId: string;
  readonly activity: string;
  /** Number of the trial that runs now; null before, between and after trials. */
  readonly trial: number | null;
  readonly trialsDone: number;
  readonly trialsPlanned: number;
  /** 0…1 over the whole run, and time left; null while unknown. */
  readonly fraction: number | null;
  readonly secondsLeft: number | null;
  readonly paused: boolean;
  readonly live: boolean;
  /** After the last whole round, with the widest interval alone; null where repeats are fixed, and before the first round is done. */
  readonly precision: Precision | null;
}

/** What the preload script puts on `window.dyno`. */
export interface Bridge {
  request<C extends Channel>(channel: C, argument: Requests[C]['argument']): Promise<Result<Requests[C]['answer']>>;
  on<E extends EventName>(event: E, listener: (payload: Events[E]) => void): () => void;
}
