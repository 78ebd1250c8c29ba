import type { Caveat, RunModel } from '#analysis/run-model/run-model.ts';
import { type CaveatGroup, caveatGroupText, groupCaveats, placesText } from '#presentation/text/caveat-text.ts';
import { HelpButton } from '../help/help-button.tsx';
import { panelTopic } from '../help/help-store.ts';
import { Icon } from '../ui/icon.tsx';

interface Props {
  readonly id: string;
  readonly model: RunModel;
  readonly caveats: readonly Caveat[];
}

/** The errors of the run, unfolded. Each kind has its cells and its reason. */
export const ErrorList = ({ id, model, caveats }: Props) => (
  <section className="panel caveats" aria-label="Errors" data-chart={id} tabIndex={-1}>
    <ul>
      {groupCaveats(model, caveats).map((group) => (
        <Kind key={group.title} group={group} />
      ))}
    </ul>
  </section>
);

/** The caveats of the run: one line that names each kind, and can be unfolded. */
export const CaveatList = ({ id, model, caveats }: Props) => {
  const groups = groupCaveats(model, caveats);
  const worst = groups[0];
  if (worst === undefined)
    return (
      <p className="muted" data-chart={id}>
        No problem with the data was found.
      </p>
    );
  return (
    <section className="panel caveats" aria-label="Caveats" data-chart={id} tabIndex={-1}>
      <details>
        <summary>
          <span className={`caveat-mark notice-${worst.severity}`}>
            <Icon name={worst.severity} />
          </span>
          <span>
            <strong>Data quality:</strong> {groups.map(caveatGroupText).join(' · ')}
          </span>
        </summary>
        <ul>
          <li>
            <HelpButton about="Caveats" topic={panelTopic('Caveats')} />
          </li>
          {groups.map((group) => (
            <Kind key={`${group.severity} ${group.title}`} group={group} />
          ))}
        </ul>
      </details>
    </section>
  );
};

const Kind = ({ group: { severity, title, entries } }: { readonly group: CaveatGroup }) => (
  <li className={`caveat notice-${severity}`}>
    <Icon name={severity} />
    <div>
      <strong>
        <span className="visually-hidden">{severity}: </span>
        {title}
      </strong>
      {entries.map(({ text, places }) => (
        <p key={text} className="muted">
          {places.length > 0 && (
            <span className="caveat-places" title={places.join('; ')}>
              {placesText(places)}:{' '}
            </span>
          )}
          {text}
        </p>
      ))}
    </div>
  </li>
);
