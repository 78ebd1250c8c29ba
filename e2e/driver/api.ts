import type { ChildProcess } from 'node:child_process';
import type { ElectronApplication, Page } from 'playwright-core';
import type { Results, RunEntry, RunStatus } from './results.ts';

/** The choices of a start of Dyno. */
export interface LaunchOptions {
  /**
   * A clone of Dyno, the folder of an installed or unpacked package, or the program of its window. Default: the
   * environment variable DYNO_APP, else the package that is installed on this machine.
   */
  readonly dyno?: string;
  /**
   * Dyno's home (DYNO_HOME), the folder of runs, experiments and connections. Null: the one that Dyno uses by itself.
   * Default: a new temporary one, which `close` removes.
   */
  readonly home?: string | null;
  /** Additional environment of the app, such as passwords that experiments name as `${env:NAME}`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of the start, such as files to open. Default: none. */
  readonly args?: readonly string[];
  /** A file `calibration.json` of another home on this machine, which saves two seconds before the first run. */
  readonly calibration?: string;
  /** False: a clone starts as it was built last. Default: true, it is built first if a source has changed since. */
  readonly build?: boolean;
  /** The time in which the window must be there, in ms. Default: 60,000. */
  readonly timeoutMs?: number;
}

/** A section of an experiment in the builder. */
export type Section = 'Question' | 'Targets' | 'Workload' | 'Factors' | 'Measurement';

/** A tab of the section *Workload*. */
export type WorkloadPart = 'Data' | 'Statements' | 'Advanced';

/** A page of the window, as its rail calls it. */
export type PageName = 'Home' | 'Experiments' | 'Builder' | 'Runs' | 'Connections' | 'Load hosts';

/** Changes of an experiment, as `--size` and `--set` of the command line make them: first the size, then the values. */
export interface Changes {
  /** One of the sizes of the experiment. Null: the values as written. */
  readonly size?: string | null;
  /** Values by their path in the file: `{ 'dataset.rows': 20_000, 'factors.method': ['bulk', 'bind'] }`. */
  readonly set?: Readonly<Record<string, unknown>>;
}

/** Answers to the questions that the window asks before a run. Without its answer, a question refuses the run. */
export interface Answers {
  /** True: an experiment that came from elsewhere may run. */
  readonly trust?: boolean;
  /** Passwords by the label of their input: `{ 'Password of staging': '…' }`. Dyno keeps them until it quits. */
  readonly passwords?: Readonly<Record<string, string>>;
  /** Hosts of production connections on which the experiment may run. */
  readonly confirm?: readonly string[];
  /** Names of connections whose servers' parameters the run may change. */
  readonly changeServer?: readonly string[];
}

/** A problem of an experiment file, as `dyno check` reports it. Lines and columns count from 1. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly line: number;
  readonly column: number;
  /** The path of keys, such as `factors.method[2]`. */
  readonly path: string;
  readonly message: string;
  readonly suggestion: string | null;
}

/** The choices of a picture. */
export interface PictureOptions {
  /** Default: as the window is. */
  readonly theme?: 'light' | 'dark';
  /** The size of the window in CSS pixels. Default: as it is. */
  readonly width?: number;
  readonly height?: number;
  /** The title of a chart or panel on the page, which alone is in the picture. Default: the whole window. */
  readonly chart?: string;
}

/** The progress of a run. */
export interface Progress {
  /** The present work: "Starting PostgreSQL", "Trial 3 of 12: …". */
  readonly activity: string;
  readonly trialsDone: number;
  readonly trialsPlanned: number;
  /** 0…1 over the whole run. Null: not known yet. */
  readonly fraction: number | null;
  readonly secondsLeft: number | null;
  readonly paused: boolean;
}

/** The choices of a wait for the end of a run. */
export interface WaitOptions {
  /** Called at each change, at most ten times a second. */
  readonly onProgress?: (progress: Progress) => void;
  /** Rejects after this time, in ms; the run goes on. Default: none. */
  readonly timeoutMs?: number;
}

/** The choices of a report, as `dyno report` has them. */
export interface ReportOptions {
  /** Default: by the ending of the path. Tables (csv, parquet) and pictures (svg, png) become a new folder. */
  readonly format?: 'html' | 'pdf' | 'markdown' | 'csv' | 'parquet' | 'svg' | 'png';
  readonly title?: string;
  readonly author?: string;
  /** Sections of a report of one file. Default: all. */
  readonly sections?: readonly string[];
  /** Names that letters or numbers replace everywhere. */
  readonly hide?: readonly ('engines' | 'hosts')[];
}

/** A run, live or ended. */
export interface Run {
  readonly id: string;
  /** Waits for the end of the run. Rejects if the window ends before. */
  wait(options?: WaitOptions): Promise<Exclude<RunStatus, 'running'>>;
  /** Cancels the run by the button of its page. Finished trials stay. */
  cancel(): Promise<void>;
  /** Shows the page of the run, and a tab of it: “Summary”, “Latency”, “Findings”… */
  show(tab?: string): Promise<void>;
  /** The results as `dyno report --json` has them. `series`: with the figures of each second and the histograms. */
  results(options?: { readonly series?: boolean }): Promise<Results>;
  /** Writes the report, as *Export report* does. */
  exportReport(path: string, options?: ReportOptions): Promise<void>;
}

/**
 * Dyno with an open window. Everything that it does in the window is what a user could see and press; `page` does the
 * rest. Errors are a `DynoError` with the window's own words, or Playwright's.
 */
export interface Dyno extends AsyncDisposable {
  /** Playwright's page of the window. */
  readonly page: Page;
  /** Playwright's view of Electron's main process. Null for packages, which let nobody into it. */
  readonly app: ElectronApplication | null;
  readonly process: ChildProcess;
  /** The path of Dyno's home. */
  readonly home: string;
  readonly version: string;
  /** Opens a file as if it was dropped onto the window: an experiment, a run, an SQL script, a CSV file. */
  open(file: string): Promise<void>;
  /** Opens an experiment of the gallery or of the user in the builder, by its name. */
  openExperiment(name: string): Promise<void>;
  showPage(name: PageName): Promise<void>;
  /** Shows a section of the experiment in the builder. */
  showSection(name: Section): Promise<void>;
  /** Shows a tab of the experiment's workload in the builder. */
  showPart(name: WorkloadPart): Promise<void>;
  /** Shows the YAML beside the form. */
  showYaml(): Promise<void>;
  /** The text of the experiment in the builder. */
  text(): Promise<string>;
  /** Replaces the text of the experiment in the builder, or of a new one if none is open. */
  write(text: string): Promise<void>;
  /** Changes the size and values of the experiment in the builder. */
  change(changes: Changes): Promise<void>;
  /**
   * Sets an input of the form by its label, such as “Repeats” or “A trial ends”: the text, number or option that a user
   * would type or choose, true or false for a checkbox, an empty text for the default. `section`: where several
   * sections have the label.
   */
  fill(label: string, value: string | number | boolean, section?: Section): Promise<void>;
  /** The problems of the experiment in the builder. */
  problems(): Promise<readonly Problem[]>;
  /** Presses *Run*, and answers the window's questions. Resolves when the run has begun. */
  start(answers?: Answers): Promise<Run>;
  /** The runs of this home, the newest first, as `dyno list --runs --json` has them. */
  runs(): Promise<readonly RunEntry[]>;
  /** The run with this id; without one, the newest run. */
  runOf(id?: string): Promise<Run>;
  /** Saves a picture of the window, or of one chart, as PNG. Theme and size of the window are then as before. */
  screenshot(path: string, options?: PictureOptions): Promise<void>;
  /** Quits Dyno, cancelling a live run without asking, and removes a temporary home. */
  close(): Promise<void>;
}
