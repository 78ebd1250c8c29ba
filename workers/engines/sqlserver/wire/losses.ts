import { type Connection, RequestError } from 'tedious';
import { createLosses } from '../../shared/first-loss.ts';
import { toError } from '../errors.ts';

const losses = createLosses<Connection>(toError);

/** The first reason that was noted, if the error says that the connection is gone; else the error itself. */
export const firstLoss = losses.first;

/** An ERROR token as the driver describes it. */
interface ErrorToken {
  readonly number: number;
  readonly class: number;
  readonly message: string;
}

/** After errors of these severities the server ends the session (manual, "Database Engine Error Severities"). */
const fatalSeverity = 20;

/** Notes why a connection is about to be lost. */
export const noteLoss = losses.note;

/** Notes the reasons of a connection's end from now on. */
export function noteLosses(connection: Connection): void {
  connection.on('error', (error) => losses.note(connection, error));
  connection.on('errorMessage', ({ number, class: severity, message }: ErrorToken) => {
    const said = Object.assign(new RequestError(message, 'EREQUEST'), { number });
    if (severity >= fatalSeverity || toError(said).kind === 'serverGone') losses.note(connection, said);
  });
}

/** Does the work of a driver above the connection; its errors are those of {@link firstLoss}. */
export async function withFirstLoss<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw firstLoss(connection, error);
  }
}
