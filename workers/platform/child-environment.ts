/**
 * The environment variables that child processes receive: paths of programs, libraries and certificates, and the
 * language. An allow-list, because targets' secrets come from variables of any name, and other processes of the account
 * can read a process's environment. It also excludes variables that change a measurement (NODE_OPTIONS, PGOPTIONS…).
 */
const passes =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TMP|TEMP|LANG|LC_\w+|TZ|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|SYSTEMROOT|SYSTEMDRIVE|WINDIR|XDG_CACHE_HOME|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|NODE_NO_WARNINGS|SSL_CERT_FILE|SSL_CERT_DIR|KRB5\w+|TNS_ADMIN|ORACLE_HOME|DYNO_MONGOD|DYNO_SERVERS|DYNO_KERBEROS|DYNO_TEST_BRIEF_SERVERS)$/i;

/**
 * The environment of a worker, a supervisor, or a program that runs beside them. Excludes the libraries that were
 * unpacked for the window alone (electron/setup/window/unpacked-packages.mjs), so that window and command line measure
 * the same libraries.
 */
export function childEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => passes.test(name)));
  const { DYNO_UNPACKED_PACKAGES: unpacked } = environment;
  if (unpacked === undefined || kept.LD_LIBRARY_PATH === undefined) return kept;
  const { LD_LIBRARY_PATH: libraries, ...others } = kept;
  const theirs = libraries.split(':').filter((folder) => !folder.startsWith(`${unpacked}/`));
  return theirs.length === 0 ? others : { ...others, LD_LIBRARY_PATH: theirs.join(':') };
}
