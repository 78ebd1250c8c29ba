import type { MongoConfig } from './config.ts';

/** The least that a user of Dyno's own needs; manual, "Built-In Roles" and "Privilege Actions". */
export function grants({ user, database, authSource }: MongoConfig): string {
  const [name, home, own] = [user ?? 'dyno', authSource ?? 'admin', database].map((text) => JSON.stringify(text));
  return `// For mongosh, as a user with userAdminAnyDatabase. It asks for the password: it is then in no script.
db.getSiblingDB("admin").createRole({
  role: "dynoCheckpoint",  // fsync: a checkpoint before the clock starts, so that trials begin alike and sizes are exact
  privileges: [{ resource: { cluster: true }, actions: ["fsync"] }],
  roles: [],
});
db.getSiblingDB(${home}).createUser({
  user: ${name},
  pwd: passwordPrompt(),
  roles: [
    { role: "readWrite", db: ${own} },  // Dyno keeps its collections there
    { role: "clusterMonitor", db: "admin" },  // server counters and settings; without it they are listed as unavailable
    { role: "dynoCheckpoint", db: "admin" },
  ],
});
// Stopping its own operations needs no right. Afterwards, everything of Dyno goes by:
// db.getSiblingDB(${home}).dropUser(${name}); db.getSiblingDB("admin").dropRole("dynoCheckpoint"); db.getSiblingDB(${own}).dropDatabase();
`;
}
