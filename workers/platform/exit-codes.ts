/** The exit codes of `dyno`. Scripts rely on them: add codes, never renumber them. */
export const exitCodes = {
  /** Success; for `run` and `resume`: every trial finished and was verified. */
  ok: 0,
  /** A defect of Dyno's own. */
  internal: 1,
  /** Wrong command, option or argument. */
  usage: 2,
  /** The experiment (or run file) is invalid; the messages name the positions. */
  badExperiment: 3,
  /**
   * The run is complete, but some trials failed or did not finish. Failed calls of trials with a result do not count.
   */
  someTrialsFailed: 4,
  /** A target could not be reached or used; the others were measured. */
  targetUnreachable: 5,
  /** Dyno's home or the run's file could not be read or written (disk full, read-only). The run can be resumed. */
  runStopped: 6,
  /**
   * A target is marked as production, or leads to the server of a connection that is, and the name of its host was not
   * typed (--confirm); or a run changes parameters of a server, and the name of its connection was not typed
   * (--change-server). Nothing was run there.
   */
  notConfirmed: 7,
  /** The run is there, and a condition of the gate (--fail-on) is violated. */
  gateFailed: 11,
  /** The run is there, and it does not show whether a condition of the gate is violated. */
  gateUndecided: 12,
  /** The rehearsal is there: for certain a statement is worse on a candidate, does not run or answers otherwise. */
  rehearsalWorse: 13,
  /** Cancelled by the user (Ctrl-C), as shells expect it: 128 + SIGINT. */
  cancelled: 130,
} as const;

/** One line of help per exit code. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'everything worked',
  internal: 'an error in Dyno itself',
  usage: 'wrong command, option or argument',
  badExperiment: 'the experiment or run file is wrong',
  someTrialsFailed: 'the run is complete, but some trials failed (failed calls in successful trials do not count)',
  targetUnreachable: 'a target could not be reached or refused; the others were measured',
  runStopped: 'Dyno could not read or write its home or the run file; a run that has begun can be resumed',
  notConfirmed:
    'a target is a production connection, or leads to one, and was not confirmed (--confirm HOST), or nobody has confirmed that parameters of a server change (--change-server NAME); nothing was run there',
  gateFailed: 'a condition of the gate (--fail-on) is violated',
  gateUndecided: 'no condition of the gate is violated for certain, and one is not shown to be kept',
  rehearsalWorse:
    'the rehearsal is there, and on a candidate a statement is worse for certain, does not run or answers otherwise',
  cancelled: 'cancelled (Ctrl-C)',
};
