/**
 * What our processes need of our environment: where programs, libraries and certificates are, and the language. A list of what passes,
 * because secrets of targets come from the environment under any name, and everybody of this account can read a process's environment.
 * It also keeps out what changes a measurement unseen (NODE_OPTIONS, PGOPTIONS…).
 */
const passes =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TMP|TEMP|LANG|LC_\w+|TZ|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|SYSTEMROOT|SYSTEMDRIVE|WINDIR|XDG_CACHE_HOME|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|NODE_NO_WARNINGS|SSL_CERT_FILE|SSL_CERT_DIR|KRB5\w+|TNS_ADMIN|ORACLE_HOME|DYNO_MONGOD)$/i;

/** The environment of a worker or a keeper. */
export function childEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => passes.test(name));
  return { ...Object.fromEntries(kept), ELECTRON_RUN_AS_NODE: '1' };
}
