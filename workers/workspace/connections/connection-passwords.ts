import { findEngine } from '#engines/catalog.ts';
import { type Connection, commandOf, type PasswordNeed, type Passwords, passwordVariable } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { socksPasswordField, socksPasswordLabel } from '#model/socks.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The form's label of an engine's field, or of the password of a SOCKS proxy. */
export const fieldText = (engine: string, field: string): string =>
  field === socksPasswordField
    ? socksPasswordLabel
    : (findEngine(engine)?.descriptor.config.find(({ name }) => name === field)?.label ?? field);

/** Fields whose password the user provides, because no command prints it. */
const givenFields = ({ passwords }: Connection): readonly string[] =>
  Object.keys(passwords).filter((field) => commandOf(passwords[field]) === null);

/**
 * The variable that provides the password of a connection without one, if it is set, because files of other programs
 * often leave it out. Null if the connection has a password, or its engine has none.
 */
export function optionalVariable(connection: Connection): string | null {
  const { engine, values, passwords } = connection;
  const takes = findEngine(engine)?.descriptor.config.some(({ name, kind }) => name === main && kind === 'password');
  const others = Object.keys(passwords).some((field) => field !== socksPasswordField);
  return takes && !others && values[main] === undefined ? passwordVariable(connection, main) : null;
}

/** The field of most engines' passwords. */
const main = 'password';

/** Passwords that were not given, are not in the environment, and are not printed by a command. */
export function missingPasswords(
  connections: readonly Connection[],
  given: Passwords,
  variables: Variables,
): readonly PasswordNeed[] {
  return connections.flatMap((connection) =>
    givenFields(connection).flatMap((field): readonly PasswordNeed[] => {
      const variable = passwordVariable(connection, field);
      if (given[connection.id]?.[field] !== undefined || variables[variable] !== undefined) return [];
      const label = fieldText(connection.engine, field);
      return [{ connection: connection.id, name: connection.name, field, label, variable }];
    }),
  );
}

/** Throws 'badInput' with the variables to set if a password is missing, for programs that cannot ask the user. */
export function requirePasswords(connections: readonly Connection[], given: Passwords, variables: Variables): void {
  const missing = missingPasswords(connections, given, variables);
  if (missing.length === 0) return;
  const names = [...new Set(missing.map(({ name }) => `“${name}”`))].join(', ');
  throw new DynoError(
    'badInput',
    `The password of ${names} is not at hand here: only the window can ask for it, or read it from the system’s store.`,
    {
      hint: `Set ${missing.map(({ variable }) => variable).join(' and ')} in the environment, or let the connection’s password be \${env:NAME}.`,
    },
  );
}

/**
 * Values of the connection's password fields, without those that commands print: the given ones, else those of the
 * environment, which may also provide one for a connection without a password. Throws as {@link requirePasswords}.
 */
export function passwordsOf(
  connection: Connection,
  given: Passwords,
  variables: Variables,
): Readonly<Record<string, string>> {
  requirePasswords([connection], given, variables);
  const optional = variables[optionalVariable(connection) ?? ''];
  return {
    ...(optional !== undefined && { [main]: optional }),
    ...Object.fromEntries(
      givenFields(connection).map((field) => [
        field,
        given[connection.id]?.[field] ?? variables[passwordVariable(connection, field)] ?? '',
      ]),
    ),
  };
}
