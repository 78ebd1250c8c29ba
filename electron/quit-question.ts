/** The question before Dyno quits, with its buttons. */
export interface Question {
  readonly message: string;
  readonly detail: string;
  readonly stay: string;
  readonly go: string;
  /** Quits and discards the changes; null: there are none. */
  readonly discard: string | null;
}

/** The question before Dyno quits; null: no run is live and no change is unsaved. */
export function questionOf(
  live: readonly string[],
  unsaved: readonly string[],
  unkept: readonly string[],
): Question | null {
  const changes = unsaved.length === 0 ? null : `The changes of “${unsaved.join('”, “')}” are not saved.`;
  const lost =
    unkept.length === 0 ? '' : ` Of “${unkept.join('”, “')}” a part is lost: Dyno writes no password in plain.`;
  const kept = `They are there again when Dyno starts the next time.${lost}`;
  const discard = changes === null ? null : 'Discard Changes and Quit';
  if (live.length > 0)
    return {
      message: `Dyno is still running “${live.join('”, “')}”.`,
      detail: [
        'Trials that are done are kept either way; a cancelled run can be resumed later.',
        ...(changes ? [`${changes} ${kept}`] : []),
      ].join('\n\n'),
      stay: 'Keep Running',
      go: 'Cancel Run and Quit',
      discard: null,
    };
  return changes === null
    ? null
    : { message: changes, detail: kept, stay: 'Keep Editing', go: 'Quit Without Saving', discard };
}
