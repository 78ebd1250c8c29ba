import { errorText } from '#model/error-text.ts';
import { formatCount, formatMs } from '#model/format/format.ts';
import type { TriedStatement, TryReport } from '#model/statements/statements.ts';
import { triedAsText } from '#presentation/text/tried-as-text.ts';
import { Notice } from '../../ui/display/notice.tsx';
import { scrollable } from '../../ui/display/scrollable.ts';
import { RowsTable } from '../form/rows-table.tsx';

function summary({ shown, elapsedMs, isRead, asExpected }: TriedStatement): string {
  if (!shown) return 'not run';
  const count = shown.count === null ? 'the server does not say how many' : formatCount(shown.count);
  const more = shown.hasMore ? ' and more' : '';
  const rows = `${count} ${shown.count === 1 ? 'row' : 'rows'}${more}${isRead ? '' : ' changed or returned, rolled back'}`;
  return [rows, elapsedMs === null ? '' : formatMs(elapsedMs), asExpected === true ? 'as expected' : '']
    .filter((part) => part !== '')
    .join(' · ');
}

const Problem = ({ error }: { readonly error: NonNullable<TriedStatement['error']> }) => (
  <Notice
    tone={error.kind === 'unsupported' ? 'info' : 'error'}
    title={error.kind === 'unsupported' ? 'Not tried' : 'Failed'}
  >
    {errorText(error)}
  </Notice>
);

const Tried = ({ target, tried }: { readonly target: string; readonly tried: TriedStatement }) => (
  <div className="tried">
    <p>
      <strong>{tried.name}</strong> <span className="faint">{summary(tried)}</span>
    </p>
    {tried.parameters.length > 0 && (
      <p className="mono faint tried-values">
        {tried.parameters.map(({ name, value }) => `${name} = ${value ?? 'null'}`).join('   ')}
      </p>
    )}
    {tried.error && <Problem error={tried.error} />}
    {tried.shown && tried.shown.rows.length > 0 && (
      <RowsTable label={`Rows of ${tried.name} on ${target}`} {...tried.shown} />
    )}
    {tried.plan !== null && (
      <details open>
        <summary>Plan</summary>
        <pre className="tried-plan" ref={scrollable}>
          {tried.plan}
        </pre>
      </details>
    )}
    {tried.planNote !== null && <p className="faint">{`No plan: ${tried.planNote}`}</p>}
  </div>
);

/** The reports of a tried statement or transaction, one per target. */
export const TryResults = ({ reports }: { readonly reports: readonly TryReport[] }) => (
  <div className="tries" role="status">
    {reports.map(({ target, item, as, statements, error }) => (
      <section key={target} aria-label={`${item.name} on ${target}`}>
        <h3>{target}</h3>
        {as && <p className="faint">{triedAsText(as)}</p>}
        {error && <Problem error={error} />}
        {statements.map((tried, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a transaction may have a statement twice
          <Tried key={i} target={target} tried={tried} />
        ))}
      </section>
    ))}
  </div>
);
