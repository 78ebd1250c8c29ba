import { useId, useMemo } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { Finding } from '#analysis/findings/find-findings.ts';
import { confirmText } from '#analysis/findings/shared/confirm.ts';
import type { Confirm, Evidence, PanelLink } from '#analysis/findings/shared/finding.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { findingPicture } from '#presentation/charts/finding/finding-picture.ts';
import { alsoShownText, confidenceLabels, confidenceNotes } from '#presentation/text/finding-text.ts';
import { openDraft } from '../builder/open-draft.ts';
import { useChartTheme } from '../charts/chart-themes.ts';
import { SceneImage } from '../charts/scene-image.tsx';
import { HelpButton } from '../help/help-button.tsx';
import { findingTopic } from '../help/help-store.ts';
import { attempt } from '../state/bridge.ts';
import { Button } from '../ui/controls/button.tsx';

interface Props {
  readonly model: RunModel;
  readonly finding: Finding;
  readonly onFollow: (link: PanelLink) => void;
}

/** One finding: the claim, then its evidence, the advice, and an experiment to confirm it. */
export const FindingCard = ({ model, finding, onFollow }: Props) => {
  const { rule, lead } = finding;
  const { confirm } = lead;
  const also = alsoShownText(model, finding);
  const id = useId();
  const theme = useChartTheme();
  const scene = useMemo(() => findingPicture(model, finding, theme), [model, finding, theme]);
  return (
    <article className="panel finding" aria-labelledby={id}>
      <header className="finding-head">
        <h3 id={id}>{rule.title}</h3>
        <HelpButton about={rule.title} topic={findingTopic(rule.title)} />
        <span className={`confidence confidence-${lead.confidence}`} title={confidenceNotes[lead.confidence]}>
          {confidenceLabels[lead.confidence]}
          <span className="visually-hidden">. {confidenceNotes[lead.confidence]}</span>
        </span>
      </header>
      <div className="finding-body">
        <div className="finding-words">
          <p className="finding-claim">{lead.claim}</p>
          <p className="finding-advice muted">{lead.advice}</p>
          {lead.evidence.length > 0 && (
            <dl className="evidence">
              {lead.evidence.map((one) => (
                <EvidenceNumber key={one.label} evidence={one} onFollow={onFollow} />
              ))}
            </dl>
          )}
        </div>
        {scene && <SceneImage {...scene} />}
      </div>
      {also !== '' && <p className="finding-also faint">{also}</p>}
      {confirm && model.yaml !== '' && (
        <div className="finding-confirm">
          <Button onPress={() => void openConfirm(model, confirm)}>Open an experiment to confirm this</Button>
          <span className="faint">{confirm.question}</span>
        </div>
      )}
    </article>
  );
};

const EvidenceNumber = ({
  evidence: { label, text, link },
  onFollow,
}: {
  readonly evidence: Evidence;
  readonly onFollow: (link: PanelLink) => void;
}) => (
  <div className="evidence-item">
    <dt>{label}</dt>
    <dd>
      {link === null ? (
        text
      ) : (
        <AriaButton className="link" aria-label={`${label}: ${text}. Show where`} onPress={() => onFollow(link)}>
          {text}
        </AriaButton>
      )}
    </dd>
  </div>
);

/** Opens a copy of the run's experiment that is changed to confirm a finding. It neither saves nor runs anything. */
async function openConfirm(model: RunModel, confirm: Confirm): Promise<void> {
  const text = await attempt('Could not create the experiment', async () => confirmText(model, confirm));
  if (text !== null && text !== undefined) openDraft({ id: null, origin: 'mine', text, isUnsaved: true });
}
