/** This process's environment, without variables that change what Electron and Node do. */
export function environment(more: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && entry[0] !== 'ELECTRON_RUN_AS_NODE' && entry[0] !== 'NODE_OPTIONS',
  );
  return { ...Object.fromEntries(inherited), ...more };
}
