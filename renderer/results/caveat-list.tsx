import { useState } from 'react';
import type { Caveat, RunModel } from '#analysis/run-model/run-model.ts';
import { variantLabel } from '#planning/variant-of.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

const collapsed = 3;

interface Props {
  readonly id: string;
  readonly model: RunModel;
  readonly caveats: readonly Caveat[];
}

function where(model: RunModel, { cell }: Caveat): string {
  if (!cell) return '';
  const label = cell.variant === undefined ? undefined : variantLabel(model.plan, cell.variant);
  const place = [label, cell.target].filter((part) => part !== undefined).join(' on ');
  return place ? `, ${place}` : '';
}

/** What a reader must know before trusting the numbers, the worst first. */
export const CaveatList = ({ id, model, caveats }: Props) => {
  const [all, setAll] = useState(false);
  if (caveats.length === 0)
    return (
      <p className="muted" data-chart={id}>
        Nothing was found that would speak against the numbers.
      </p>
    );
  return (
    <section className="panel caveats" aria-label="Caveats" data-chart={id} tabIndex={-1}>
      <ul>
        {caveats.slice(0, all ? caveats.length : collapsed).map((caveat) => (
          <li
            key={`${caveat.title} ${JSON.stringify(caveat.cell)} ${caveat.text}`}
            className={`caveat notice-${caveat.severity}`}
          >
            <Icon name={caveat.severity} />
            <p>
              <strong>
                <span className="visually-hidden">{caveat.severity}: </span>
                {caveat.title}
                {where(model, caveat)}.
              </strong>{' '}
              <span className="muted">{caveat.text}</span>
            </p>
          </li>
        ))}
      </ul>
      {caveats.length > collapsed && (
        <Button kind="quiet" onPress={() => setAll(!all)}>
          {all ? 'Fewer caveats' : `All ${caveats.length} caveats`}
        </Button>
      )}
    </section>
  );
};
