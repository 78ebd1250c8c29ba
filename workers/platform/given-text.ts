/**
 * The text of a file that another program wrote: UTF-8 or UTF-16, with or without the mark that says so, as Windows'
 * tools write; else Windows' Latin letters. Without the mark.
 */
export function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  if (encoding !== null) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * The encoding by the byte order mark, else by a first character below 256, whose other byte is 0; null: not UTF-16.
 */
function encodingOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0)
    ? 'utf-16be'
    : null;
}
