import type { Document } from 'mongodb';

/** Role and roles of a user of Dyno's own: the least it needs; manual, "Built-In Roles" and "Privilege Actions". */
interface Rights {
  /** fsync: a checkpoint before the clock starts, so that trials begin alike and sizes are exact. */
  readonly checkpoint: Readonly<{ role: string; privileges: readonly Document[]; roles: readonly Document[] }>;
  readonly roles: readonly Readonly<{ role: string; db: string }>[];
}

const checkpointRole = 'dynoCheckpoint';

export const rightsOf = (database: string): Rights => ({
  checkpoint: {
    role: checkpointRole,
    privileges: [{ resource: { cluster: true }, actions: ['fsync'] }],
    roles: [],
  },
  roles: [
    { role: 'readWrite', db: database },
    { role: 'clusterMonitor', db: 'admin' },
    { role: checkpointRole, db: 'admin' },
  ],
});

/** A value in the shell's notation: on one line, with names of fields without quotes. */
const shell = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll(/\s*\n\s*/g, ' ');

export function grants({
  user,
  database,
  authSource,
}: {
  readonly user: string | null;
  readonly database: string;
  readonly authSource: string | null;
}): string {
  const { checkpoint, roles } = rightsOf(database);
  const [name, home, own] = [user ?? 'dyno', authSource ?? 'admin', database].map((text) => JSON.stringify(text));
  return `// For mongosh, as a user with userAdminAnyDatabase. It asks for the password: it is then in no script.
// fsync: a checkpoint before the clock starts, so that trials begin alike and sizes are exact.
// The script can be run again: what is there stays.
if (!db.getSiblingDB("admin").getRole(${JSON.stringify(checkpointRole)})) db.getSiblingDB("admin").createRole(${shell(checkpoint)});
// readWrite: Dyno keeps its collections there. clusterMonitor: server counters and settings; without it they are listed
// as unavailable.
const roles = [
${roles.map((role) => `  ${shell(role)},\n`).join('')}];
if (db.getSiblingDB(${home}).getUser(${name})) db.getSiblingDB(${home}).grantRolesToUser(${name}, roles);
else db.getSiblingDB(${home}).createUser({ user: ${name}, pwd: passwordPrompt(), roles });
// For a connection that is marked as production, make a user that may only read instead, with the roles
// ${shell([
    { role: 'read', db: database },
    { role: 'clusterMonitor', db: 'admin' },
  ])}.
// Dyno runs commands of experiments as this user. Nothing of Dyno's needs JavaScript on the server: mongod
// --noscripting turns it off. Stopping its own operations needs no right. Afterwards, everything of Dyno goes by:
// db.getSiblingDB(${home}).dropUser(${name}); db.getSiblingDB("admin").dropRole("${checkpointRole}");
// db.getSiblingDB(${own}).dropDatabase();
`;
}
