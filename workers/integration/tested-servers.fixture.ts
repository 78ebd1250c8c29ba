import { isSkipped } from '#engines/conformance/skipped.ts';

/** A target that Dyno starts by itself, for each engine that has one. */
const servers = {
  sqlite: 'sqlite',
  postgres: 'embedded-postgres',
  mysql: 'local-mariadb',
  mongodb: 'local-mongodb',
  ravendb: 'local-ravendb',
  drda: 'local-derby',
  oracle: 'oracle-emulator',
};

/** Those engines that are tested here, each with its target. */
export const testedServers = Object.entries(servers).filter(([engine]) => !isSkipped(engine));
