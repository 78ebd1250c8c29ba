import { type ReactNode, useMemo } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { PanelLink } from '#analysis/findings/shared/finding.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { unlikeText } from '#analysis/settings/compared-settings.ts';
import { loadsText } from '#presentation/text/load-text.ts';
import { ChartRemark, ChartRun } from '../charts/chart-remark.ts';

interface Props {
  readonly model: RunModel;
  readonly onFollow: (link: PanelLink) => void;
  readonly children: ReactNode;
}

const table: PanelLink = { panel: 'settings-compared', cell: null };

/** The remark under every chart: the load, and the settings in which targets differ, with a link to them. */
export const RunRemark = ({ model, onFollow, children }: Props) => {
  const load = useMemo(() => loadsText(model.plan), [model.plan]);
  const unlike = useMemo(() => unlikeText(model), [model]);
  const remark = useMemo(
    () => (
      <>
        <p className="faint chart-about">{load}</p>
        {unlike !== null && (
          <AriaButton className="link chart-remark" onPress={() => onFollow(table)}>
            {unlike}
          </AriaButton>
        )}
      </>
    ),
    [load, unlike, onFollow],
  );
  return (
    <ChartRun value={model}>
      <ChartRemark value={remark}>{children}</ChartRemark>
    </ChartRun>
  );
};
