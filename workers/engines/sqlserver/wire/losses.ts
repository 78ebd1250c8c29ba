import { type Connection, RequestError } from 'tedious';
import { createLosses } from '../../shared/first-loss.ts';
import { toError } from '../errors.ts';

const losses = createLosses<Connection>(toError);

/** The reason why the connection is gone, where the error says that it is gone; else the error. */
export const firstLoss = losses.first;

/** An ERROR token as the driver tells it. */
interface ErrorToken {
  readonly number: number;
  readonly class: number;
  readonly message: string;
}

/** The server ends the session behind errors of these severities (manual, "Database Engine Error Severities"). */
const fatalSeverity = 20;

/** Notes, from now on, what the connection hears of its end. */
export function noteLosses(connection: Connection): void {
  connection.on('error', (error) => losses.note(connection, error));
  connection.on('errorMessage', ({ number, class: severity, message }: ErrorToken) => {
    const said = Object.assign(new RequestError(message, 'EREQUEST'), { number });
    if (severity >= fatalSeverity || toError(said).kind === 'serverGone') losses.note(connection, said);
  });
}

/** The work of a driver above the connection; its errors as {@link firstLoss} has them. */
export async function withFirstLoss<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw firstLoss(connection, error);
  }
}
