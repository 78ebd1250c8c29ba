const paths = {
  home: 'M2.5 7.2 8 2.6l5.5 4.6M4 6.2v7.3h8V6.2M6.7 13.5V9.6h2.6v3.9',
  flask: 'M6 2h4M6.75 2v4.2L3 12.6A1 1 0 0 0 3.9 14h8.2a1 1 0 0 0 .9-1.4L9.25 6.2V2M4.6 10h6.8',
  runs: 'M2 13h12M4 10.5V8M7.3 10.5V4M10.6 10.5V6M13.5 10.5V3',
  pin: 'M6 2.5h4M6.4 2.5 6 6.8 4.2 8.6v.9h7.6v-.9L10 6.8l-.4-4.3M8 9.5v4',
  play: 'M5 3.2v9.6L12.6 8z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  stop: 'M4 4h8v8H4z',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6 14 14',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  undo: 'M3 6h6.5a3.5 3.5 0 0 1 0 7H6M3 6l3-3M3 6l3 3',
  redo: 'M13 6H6.5a3.5 3.5 0 0 0 0 7H10M13 6l-3-3M13 6l-3 3',
  edit: 'M3 13l.6-3L11 2.6a1.2 1.2 0 0 1 1.7 0l.7.7a1.2 1.2 0 0 1 0 1.7L6 12.4zM9.8 3.8l2.4 2.4',
  trash: 'M3 4.5h10M6.5 4.5V2.5h3v2M4.5 4.5l.6 9h5.8l.6-9',
  download: 'M8 2v8M4.8 7 8 10.2 11.2 7M3 13.5h10',
  upload: 'M8 10.5v-8M4.8 5.6 8 2.4l3.2 3.2M3 13.5h10',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  moon: 'M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1z',
  settings:
    'M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM5.5 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
  help: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM6.2 6.2a1.8 1.8 0 1 1 2.5 1.7c-.5.2-.7.6-.7 1.1M8 11.3h.01',
  check: 'M3 8.5 6.5 12 13 4.5',
  chevron: 'M4.5 6.5 8 10l3.5-3.5',
  warning: 'M8 2.2 14.6 13.5H1.4zM8 6.5v3.2M8 11.6h.01',
  error: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM8 4.9v3.8M8 11h.01',
  plug: 'M5.5 2v3.2M10.5 2v3.2M3.8 5.2h8.4v2.6a4.2 4.2 0 0 1-8.4 0zM8 12v2.2',
  hosts: 'M2.5 2.5h11v4.2h-11zM2.5 9.3h11v4.2h-11zM5 4.6h.01M5 11.4h.01M8 4.6h3M8 11.4h3',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  skip: 'M4 8h8',
  clock: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM8 4.6V8l2.3 1.6',
  info: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM8 7.4v3.8M8 4.9h.01',
} as const;
export type IconName = keyof typeof paths;

/** A 16 px line icon. It is decorative: the control around it has the accessible name. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg
    className="icon"
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth={name === 'more' ? 2 : 1.4}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);
