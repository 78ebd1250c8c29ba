// The package @dyno/driver (docs/driver.md). Nothing else of this folder is public.
export { DynoError, type ErrorData, type ErrorKind } from '#model/error.ts';
export type {
  Answers,
  Changes,
  Dyno,
  LaunchOptions,
  PageName,
  PictureOptions,
  Problem,
  Progress,
  ReportOptions,
  Run,
  Section,
  WaitOptions,
  WorkloadPart,
} from './api.ts';
export { launchDyno } from './launch.ts';
export type {
  Answer,
  Caveat,
  CellName,
  CellResult,
  Finding,
  Goal,
  Interval,
  Ratio,
  Results,
  RunEntry,
  RunStatus,
  Trial,
} from './results.ts';
