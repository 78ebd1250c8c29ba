import { type ReactNode, useMemo } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { ChartLink } from '../../workers/analysis/findings/finding.ts';
import { unlikeInWords } from '../../workers/analysis/like-for-like.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { ChartRemark } from '../charts/chart-remark.ts';

interface Props {
  readonly model: RunModel;
  readonly onFollow: (link: ChartLink) => void;
  readonly children: ReactNode;
}

const table: ChartLink = { view: 'conditions', chart: 'fairness', cell: null };

/** Where targets are not compared like for like, every chart below says so, and leads to the table of what differs. */
export const UnlikeRemark = ({ model, onFollow, children }: Props) => {
  const words = useMemo(() => unlikeInWords(model), [model]);
  const remark = useMemo(
    () =>
      words === null ? null : (
        <AriaButton className="link chart-remark" onPress={() => onFollow(table)}>
          {words}
        </AriaButton>
      ),
    [words, onFollow],
  );
  return <ChartRemark value={remark}>{children}</ChartRemark>;
};
