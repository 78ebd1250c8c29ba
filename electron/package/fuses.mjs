import { FuseState, FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';

/**
 * Electron's fuses in the package. Workers run on the Node that the package brings, so Electron need not be one, and no
 * environment variable or argument makes it run or debug other code than app.asar. asar integrity exists on macOS and
 * Windows; on Linux its fuse has no effect (electronjs.org/docs/latest/tutorial/asar-integrity).
 */
const fuses = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
};

/** Sets the fuses of an Electron executable (on macOS: of its .app). */
export const setFuses = (electron) =>
  flipFuses(electron, { version: FuseVersion.V1, resetAdHocDarwinSignature: electron.endsWith('.app'), ...fuses });

/** Reads the fuses of an executable back, and throws an error that names the wrong ones. */
export async function checkFuses(electron) {
  const wire = await getCurrentFuseWire(electron);
  const wrong = Object.entries(fuses).filter(
    ([fuse, on]) => wire[fuse] !== (on ? FuseState.ENABLE : FuseState.DISABLE),
  );
  if (wrong.length > 0)
    throw new Error(`Fuses of ${electron} are not set: ${wrong.map(([fuse]) => FuseV1Options[fuse]).join(', ')}.`);
}
