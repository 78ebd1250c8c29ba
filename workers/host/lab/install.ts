import { derby } from './installs/derby.ts';
import type { Installable } from './installs/installable.ts';
import { mongod } from './installs/mongod.ts';
import { seerdb, sqlfluff } from './installs/python.ts';
import { ravendb, ravendb7 } from './installs/ravendb.ts';
import { snappydata } from './installs/snappydata.ts';

/** Everything that `dyno servers install` can fetch. */
export const installables: readonly Installable[] = [mongod, ravendb, ravendb7, seerdb, sqlfluff, derby, snappydata];
