/** The words of this folder, by the file that shows them: texts, and functions where a text holds numbers or names. */
export const texts = {
  configInput: {
    oneNameValuePerLine: 'One “name: value” per line.',
    defaultOf: (placeholder: string | number) => `Default (${placeholder})`,
    default: 'Default',
    yes: 'Yes',
    no: 'No',
  },
  fields: {
    choose: 'Choose',
  },
  numberField: {
    needed: 'A number is needed here.',
    understood: (understood: string, problem: string) => `${understood}. ${problem}`,
  },
  copyBox: {
    copied: 'Copied',
    copy: 'Copy',
  },
  stepList: {
    notYet: 'not yet',
    underWay: 'under way',
    worksInPart: 'works in part',
    doesNotApply: 'does not apply',
    notTried: 'not tried',
  },
  panelBoundary: {
    cannotBeShown: (title: string | number) => `“${title}” cannot be shown`,
    whatWasMeasuredIsAs: (message: string | number) =>
      `${message} What was measured is as it was, and the rest of the page goes on.`,
    error: 'Error',
  },
  dialog: {
    close: 'Close',
  },
  toast: {
    notifications: 'Notifications',
    dismiss: 'Dismiss',
  },
  formatWait: {
    hMin: (floor: string | number, value: string | number) => `${floor} h ${value} min`,
    min: (minutes: string | number) => `${minutes} min`,
  },
  notice: {
    note: 'Note',
    warning: 'Warning',
    error: 'Error',
  },
} as const;
