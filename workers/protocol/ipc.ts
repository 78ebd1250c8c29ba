import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { KeptStatement } from '#engine-api/kept-statements.ts';
import type { ScriptOffer } from '#engine-api/reproducer.ts';
import type { TableFacts } from '#engine-api/table-facts.ts';
import type { Topic } from '#experiment/schema/gallery-card.ts';
import type {
  CheckReport,
  ConnectionDraft,
  ConnectionEntry,
  ConnectionList,
  DraftOpinion,
  ImportList,
  PasswordNeed,
  Passwords,
  ReadUrl,
} from '#model/connections.ts';
import type { ErrorData, Result } from '#model/error.ts';
import type { LoadHostEntry, LoadHostList, LoadHostReport } from '#model/load-host-check.ts';
import type { ToConfirm } from '#model/production.ts';
import type { TryReport, UserTable } from '#model/statements/statements.ts';
import type { Diagnostic } from '#model/text/diagnostic.ts';
import type { Estimate } from './estimate.ts';
import type { ForeignWork } from './foreign-work.ts';
import type { GalleryPage } from './gallery-page.ts';
import type { Argument, Channel } from './ipc-arguments.ts';
import type { EndReason, Precision } from './journal.ts';
import type { KeptDraft, Opened, RecentFile } from './opened.ts';
import type { Plan } from './plan.ts';
import type { Previewed } from './preview.ts';
import type { ProposedTable } from './proposed-table.ts';
import type { RunAnnotation } from './run-annotation.ts';
import type { RunsAlike } from './runs-alike.ts';
import type { ServerToChange } from './server-change.ts';
import type { ToldStatements } from './told-statements.ts';

/** An experiment file in the library. `id` is opaque to the page, which neither receives nor sends a path. */
export interface LibraryEntry {
  readonly id: string;
  readonly name: string;
  readonly question: string;
  /** The group of the gallery to which the experiment belongs. Null for other experiments. */
  readonly topic: Topic | null;
  readonly origin: 'gallery' | 'mine';
  readonly targets: readonly string[];
  readonly modifiedAt: string;
  /** The whole file, for searches. */
  readonly text: string;
  /** The reason why the file is no valid experiment; null: it is. */
  readonly problem: string | null;
}

/** How far a run came. */
export interface RunState {
  readonly status: 'running' | 'complete' | 'cancelled' | 'interrupted' | 'unreadable';
  /** Trials with a result, without those that were cancelled with the run. */
  readonly trialsDone: number;
  /** Trials that ended without an error. */
  readonly trialsGood: number;
  /** Null: a search is under way, which chooses its trials one after the other. */
  readonly trialsPlanned: number | null;
  /**
   * none: the plan has several cells to compare, and fewer than two have results; notPlanned: the plan has a single
   * cell.
   */
  readonly comparison: 'made' | 'none' | 'notPlanned';
  /** The reason why an advice or a gate has ended the run; absent: none has. */
  readonly endedBy?: EndReason;
}

/** The grades of a run's data, the best first. */
export const gradeLevels = ['good', 'usable', 'doNotQuote'] as const;
/** The grade of a run's data. */
export type GradeLevel = (typeof gradeLevels)[number];

/** The experiment that an SQL script becomes. */
export interface DraftedSql {
  readonly text: string;
  /** Sentences about the way in which the script was read. */
  readonly note: string;
  /** Sentences about the parts that are not in the experiment as in the script, each beginning with the line. */
  readonly told: readonly string[];
}

/** A run in the list of runs. */
export interface RunEntry extends RunState, RunAnnotation {
  readonly id: string;
  /** The name of its experiment. */
  readonly name: string;
  /** The experiment's size that was run; null: it has no sizes. */
  readonly size: string | null;
  readonly startedAt: string;
  readonly targets: readonly string[];
  readonly bytes: number;
  /** Time from its start to its last result, without the pauses before it was resumed. */
  readonly durationMs: number;
  /** Its variants on its targets by their mean throughput, fastest first; references and stand-ins left out. */
  readonly cells: readonly RunCell[];
  /** The grade of its data with the most important reason; null while it runs, and if nothing was measured. */
  readonly grade: { readonly level: GradeLevel; readonly reason: string } | null;
  /** True if the user has pinned it as the baseline of its experiment. */
  readonly isBaseline: boolean;
}

/** The throughput of one variant on one target in the list of runs. */
export interface RunCell {
  readonly label: string;
  readonly target: string;
  /** Decides the target's look (PlannedTarget). */
  readonly index: number;
  readonly value: number;
  /** Significant digits of the value that its interval over the repeats allows. */
  readonly digits: number;
  readonly unit: 'rows/s' | 'calls/s';
}

/** A table at a server that has Dyno's mark. */
export interface LeftTable {
  readonly name: string;
  /** The tag of the run that made it; null: unknown. */
  readonly run: string | null;
  /** The reason why the table stays, as a clause; null: it can be dropped. */
  readonly inUse: string | null;
  /** True if the table stays because this machine cannot tell whether its run is still going on. */
  readonly isUnsure: boolean;
}

/** The tables that Dyno has left at a target, and those that were dropped. */
export interface CleanReport {
  readonly address: string;
  readonly tables: readonly LeftTable[];
  readonly dropped: readonly string[];
  /** The parameters that runs have left changed, or that were restored now, as sentences. */
  readonly parameters: readonly string[];
}

/** The result of a check of an experiment's text. */
export interface Checked {
  readonly diagnostics: readonly Diagnostic[];
  readonly plan: Plan | null;
  /** Seconds; from earlier trials on this machine where there are any, else from the measurement plan. */
  readonly estimateSeconds: Estimate | null;
}

/** The facts that the page needs at its start. */
export interface AppInfo {
  readonly version: string;
  readonly runtime: Readonly<Record<string, string>>;
  /** The Electron that runs the window, and whether it is a fallback, as a phrase. */
  readonly window: string;
  readonly engines: readonly EngineDescriptor[];
  /** Built-in targets whose server is not installed on this machine: what is missing, and how to install it. */
  readonly missing: Readonly<Record<string, { readonly what: string; readonly fix: string }>>;
  readonly home: string;
}

/** The reason why the server of a built-in target is not on this machine, and how to install it. */
export interface MissingServer {
  readonly what: string;
  readonly fix: string;
  /**
   * The tool that Dyno can fetch from a package registry; `about` names its size, source and licence. Null if there is
   * none.
   */
  readonly install: { readonly tool: string; readonly about: string } | null;
  /** Commands for this machine's package managers. */
  readonly commands: readonly string[];
  /** The side effects of these commands, and the command that undoes them; absent if there are none. */
  readonly besides?: { readonly text: string; readonly command: string };
}

/** A question that the page has to ask before an experiment does anything: for passwords, or for permission. */
export type Asked =
  | { readonly needs: readonly PasswordNeed[] }
  /** The experiment came from elsewhere; `trustId` says so to `experiments:trust`. */
  | { readonly foreign: ForeignWork; readonly trustId: string }
  /** Production connections whose hosts the user has to type: the request goes out again with them as `confirmed`. */
  | { readonly toConfirm: readonly ToConfirm[] }
  /** Servers whose parameters a run would change: the names of their connections go out again as `changed`. */
  | { readonly toChange: readonly ServerToChange[] };

/** The user's answers to the questions ({@link Asked}). */
export interface Answers {
  readonly passwords: Passwords;
  /** Host names that were typed. */
  readonly confirmed: readonly string[];
  /** Names of connections that were typed to let a run change parameters of their servers. */
  readonly changed: readonly string[];
}
/** A started run, or what the page has to ask first. */
type Started = { readonly runId: string } | Asked;

/** The target of a connection test: an unsaved form, a saved connection, or a built-in target by its name. */
export type Tested = { readonly draft: ConnectionDraft } | { readonly id: string } | { readonly builtIn: string };

/** The answers of the shell to the requests of the page, by channel. `argumentSchemas` has the arguments. */
export interface Replies {
  'app:info': AppInfo;
  /** Opens the folder of Dyno's files in the system's program for folders. */
  'app:openHome': null;
  /** Names of the experiments and the connection whose unsaved changes would be lost with the window. */
  'app:unsaved': null;
  'experiments:list': readonly LibraryEntry[];
  /** The gallery's experiments; durations come from earlier trials on this machine where there are any. */
  'experiments:gallery': readonly GalleryPage[];
  'experiments:read': { readonly text: string; readonly entry: LibraryEntry };
  /** Saves in the user's library; with id null (or a gallery id) as a new file. Answers the saved entry. */
  'experiments:save': LibraryEntry;
  'experiments:delete': { readonly undo: string };
  'experiments:restore': LibraryEntry;
  'experiments:import': LibraryEntry | null;
  'experiments:export': { readonly saved: boolean };
  /**
   * The first rows of a table, or its problems; a new request cancels an earlier one, which fails as 'cancelled'.
   * `table`: the table's name in statements.
   */
  'experiments:preview': Previewed;
  /** Asks for a file, and reads the columns of a table whose rows it has; null if the user cancels. */
  'experiments:tableOfFile': ProposedTable | null;
  /** The user trusts the experiment that an answer called foreign. */
  'experiments:trust': null;
  'experiments:check': Checked;
  /**
   * The experiment that an SQL script becomes; null: it has no statement. `engine`: the dialect, unless the script
   * shows another. `rows`: the rows of each table that it defines.
   */
  'statements:draft': { readonly draft: DraftedSql | null };
  /** Runs a custom statement, transaction or check once and rolls back; null: all of them. One request at a time. */
  'statements:try': { readonly reports: readonly TryReport[] } | Asked;
  /** The user's own tables on a target of the experiment. */
  'statements:tables': { readonly tables: readonly UserTable[] } | Asked;
  /** The statements that a target of the experiment has counted, without values. */
  'statements:kept': { readonly statements: readonly KeptStatement[] } | Asked;
  /** All that a target of the experiment tells about its statements, and the user's own tables there. */
  'statements:import': ToldStatements | Asked;
  /** Definitions and statistics of the user's own tables on a target of the experiment. */
  'statements:importTables': { readonly facts: readonly TableFacts[] } | Asked;
  'statements:cancel': null;
  /** The files opened from outside of the window since the page last asked. None of them is run. */
  'files:opened': readonly Opened[];
  /** Asks for a file of a kind that can be dropped; it arrives as one of `files:opened`. */
  'files:choose': null;
  'files:recent': readonly RecentFile[];
  /** Opens a recent file again; it arrives as one of `files:opened`. */
  'files:reopen': null;
  /**
   * Keeps the experiments whose changes are not saved, in place of those kept before. A text that contains a plain
   * secret is not written; its draft keeps the last text without the secret.
   */
  'drafts:keep': null;
  'drafts:list': readonly KeptDraft[];
  /** The drafts of connections, without typed passwords. */
  'drafts:connections': readonly ConnectionDraft[];
  /** The `History` of the runs of one size of the experiment with this name, as JSON (Events['run:records']). */
  'history:of': { readonly history: string };
  /** The times of statements and transactions in the complete runs of one size of the experiment with this name. */
  'history:alike': RunsAlike;
  'runs:list': readonly RunEntry[];
  /** The experiment of a run, as it was run. */
  'runs:experiment': { readonly text: string };
  /** `passwords`: the answers to `needs`; empty at first. */
  'runs:start': Started;
  'runs:resume': Started;
  /**
   * Finds and measures changes that make the statements of an experiment faster. Answers with the run that keeps the
   * advice when it is there; until then `run:advising` events tell how far it is. Null as target: the first one that
   * runs statements.
   */
  'runs:advise': Started;
  'runs:cancelAdvice': null;
  'runs:pause': null;
  /** Ends all runs of this home, tests and tries at once; answers when they have ended. */
  'runs:endAll': null;
  'runs:cancel': null;
  /** Sends this run's records as `run:records` events from the beginning, and continues while it runs. */
  'runs:watch': null;
  /** Acknowledges one `run:records` event; the shell sends few ahead, so that long journals do not flood the page. */
  'runs:taken': null;
  'runs:unwatch': null;
  /** Changes the title, note or tags of a run, or pins it as the baseline of its experiment. */
  'runs:annotate': null;
  'runs:delete': { readonly undo: string };
  'runs:restore': null;
  'runs:import': RunEntry | null;
  'runs:exportReport': { readonly saved: boolean };
  /** Prints the report by the system's dialog. */
  'runs:printReport': { readonly printed: boolean };
  /** Opens the report that was saved last for this run, in the system's program for it. */
  'runs:openReport': null;
  'runs:exportJournal': { readonly saved: boolean };
  /** The languages in which a cell of a run can be saved as a script, and the reasons of the others. */
  'runs:scripts': readonly ScriptOffer[];
  /** Asks for a file, and writes the script of a cell with the figures of the run into it. */
  'runs:saveScript': { readonly saved: boolean };
  /** No answer of these requests contains a stored password: the page can write and use passwords, not read them. */
  'connections:list': ConnectionList;
  /** Parses a URL of the engine `engine`; null: of any engine that recognises it. */
  'connections:readUrl': ReadUrl;
  /**
   * Looks for connections of other programs: in the files that they keep on this machine, or in one that the user
   * chooses (null: none was chosen). What was found before is forgotten.
   */
  'connections:findImports': ImportList | null;
  /** Saves entries by their file and place in it; their passwords are left out, or stored by the system. */
  'connections:import': { readonly names: readonly string[] };
  'connections:forgetImports': null;
  'connections:judge': DraftOpinion;
  'connections:save': ConnectionEntry;
  /** Keeps passwords of saved connections in memory, for the server that each leads to now, until Dyno quits. */
  'connections:remember': null;
  'connections:duplicate': ConnectionEntry;
  'connections:delete': { readonly undo: string };
  'connections:restore': ConnectionEntry;
  /** Answers when the test is over; until then `connection:tested` events report each step. The page sets `testId`. */
  'connections:test': { readonly report: CheckReport } | { readonly needs: readonly PasswordNeed[] };
  /**
   * Lists the tables that Dyno has left at the server of a connection, and drops them; `dropsUnsure`: also tables whose
   * run may be going on elsewhere.
   */
  'connections:clean': { readonly report: CleanReport } | Asked;
  'connections:cancelTest': null;
  'hosts:list': LoadHostList;
  /** The public key of this coordinator, for `dyno agent --trust`; made at its first use. */
  'hosts:key': string;
  /** Adds a load host; `before`: the name of the load host that it replaces. */
  'hosts:save': LoadHostEntry;
  'hosts:delete': { readonly undo: string };
  'hosts:restore': LoadHostEntry;
  /** Answers when the test is over; until then `host:tested` events report each step. The page sets `testId`. */
  'hosts:test': { readonly report: LoadHostReport };
  'hosts:cancelTest': null;
  /** Built-in targets whose server is not on this machine, by name. */
  'servers:missing': Readonly<Record<string, MissingServer>>;
  /**
   * Fetches a tool that `servers:missing` names, and answers when it is there; `server:installing` events tell how far
   * it is. One at a time; refused during a run.
   */
  'servers:install': null;
  'servers:cancelInstall': null;
  /** Saves a chart or table under the suggested name; opens a save dialog. `data` is text, or base64 for PNG. */
  'files:save': { readonly saved: boolean };
}
/** The requests of the page to the shell, by channel. */
export type Requests = { readonly [C in Channel]: { readonly argument: Argument<C>; readonly answer: Replies[C] } };

/** The events that the shell sends to the page. */
export interface Events {
  'run:records': {
    readonly runId: string;
    /**
     * An array of `JournalEntry` as JSON: sending a text to the page only copies it, while objects are serialized
     * twice.
     */
    readonly records: string;
    readonly upToDate: boolean;
    /** Position in the journal, in bytes, behind this part. */
    readonly readBytes: number;
    /** The reason why the rest of the file cannot be read; null: it can. */
    readonly failure: ErrorData | null;
  };
  /** The activity of a run between records: starting a server, calibrating, loading 40 %… */
  'run:progress': RunProgress;
  /** The progress of an advice: the present step, and its run; null before the first one. */
  'run:advising': { readonly activity: string; readonly progress: RunProgress | null };
  'connections:changed': null;
  'connection:tested': { readonly testId: string; readonly report: CheckReport };
  'hosts:changed': null;
  'host:tested': { readonly testId: string; readonly report: LoadHostReport };
  /** `fraction`: 0…1, null while unknown. */
  'server:installing': { readonly tool: string; readonly activity: string; readonly fraction: number | null };
  'library:changed': null;
  /** Something was opened: `files:opened` has it. */
  'files:changed': null;
  /** The user pressed the notification of a run's end. */
  'run:chosen': { readonly runId: string };
  'runs:changed': null;
  'menu:command': { readonly command: MenuCommand };
}
/** The name of an event, `noun:participle`. */
export type EventName = keyof Events;

/** Commands of the application menu; the page ignores those that do not apply. */
export type MenuCommand =
  | 'home'
  | 'experiments'
  | 'runs'
  | 'connections'
  | 'newConnection'
  | 'hosts'
  | 'settings'
  | 'new'
  | 'open'
  | 'import'
  | 'importRun'
  | 'printReport'
  | 'save'
  | 'run'
  | 'palette'
  | 'theme'
  | 'documentation'
  | 'tour'
  | 'help'
  | 'about';

/** Progress of a run between two journal records. */
export interface RunProgress {
  readonly runId: string;
  readonly activity: string;
  /** Number of the running trial; null before, between and after trials. */
  readonly trial: number | null;
  readonly trialsDone: number;
  readonly trialsPlanned: number;
  /** 0…1 over the whole run, and seconds left; null while unknown. */
  readonly fraction: number | null;
  readonly secondsLeft: number | null;
  readonly paused: boolean;
  readonly live: boolean;
  /** State after the last complete round, with the widest interval alone; null: repeats are fixed, or round 1 runs. */
  readonly precision: Precision | null;
}

/** A `File` of the page, which the user has dropped. */
interface DroppedFile {
  readonly name: string;
  readonly size: number;
}

/** The object that the preload script exposes as `window.dyno`. */
export interface Bridge {
  request<C extends Channel>(channel: C, argument: Requests[C]['argument']): Promise<Result<Requests[C]['answer']>>;
  on<E extends EventName>(event: E, listener: (payload: Events[E]) => void): () => void;
  /** Opens files that the user has dropped onto the window; they arrive as `files:opened`. The page sees no path. */
  openDropped(files: readonly DroppedFile[]): Promise<Result<null>>;
}
