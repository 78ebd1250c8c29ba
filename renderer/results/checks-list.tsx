import type { LookedFor } from '#analysis/findings/find-findings.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { sentence } from '#model/format/sentence.ts';
import { reasonsOf, statusLabels } from '#presentation/text/finding-text.ts';

interface Props {
  readonly model: RunModel;
  readonly looked: readonly LookedFor[];
}

/** The most places of a reason that are listed by name. */
const mostPlaces = 3;

/** The checks without findings or without an answer, each with its reason. The list is folded. */
export const LookedForList = ({ model, looked }: Props) =>
  looked.length === 0 ? null : (
    <details className="panel looked-for">
      <summary>
        {'Checks without findings'} <span className="faint">{looked.length}</span>
      </summary>
      <dl>
        {looked.map(({ rule, outcomes }) => (
          <div key={rule.id}>
            <dt>
              {rule.title} <span className="faint">{rule.looksFor}</span>
            </dt>
            {reasonsOf(model, { rule, outcomes }).map(({ status, why, places }) => (
              <dd key={`${status} ${why}`} className="muted">
                <span className={status === 'cannotTell' ? 'faint' : undefined}>{sentence(statusLabels[status])}:</span>{' '}
                {why}
                {places.length > 0 && <span className="faint"> {formatPlaces(places)}</span>}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </details>
  );

const formatPlaces = (places: readonly string[]): string =>
  `(${places.slice(0, mostPlaces).join('; ')}${places.length > mostPlaces ? ` and ${places.length - mostPlaces} more` : ''})`;
