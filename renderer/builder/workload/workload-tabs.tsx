import type { Diagnostic } from '#model/text/diagnostic.ts';
import { useStore } from '../../state/store.ts';
import { Tabs } from '../../ui/display/tabs.tsx';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { StatusMark } from '../outline/outline.tsx';
import { statusOf, type WorkloadPart } from '../outline/sections.ts';
import { shownPart } from '../outline/shown-section.ts';
import { ChecksSection } from '../statements/checks-section.tsx';
import { SetupSection, TeardownSection } from '../statements/setup-section.tsx';
import { StatementsSection } from '../statements/statements-section.tsx';
import { DatasetSection } from '../tables/dataset-section.tsx';
import { TablesSection } from '../tables/tables-section.tsx';
import { AdvancedSettings } from './advanced-settings.tsx';
import { OperationSection } from './operation-section.tsx';
import { OptionsSection } from './options-section.tsx';
import { otherSettings } from './set-settings.ts';

interface Props {
  readonly raw: Raw;
  /** Null until the file is checked. */
  readonly problems: readonly Diagnostic[] | null;
}

const count = (found: number): string => (found === 0 ? '' : String(found));

const keysAt = (raw: Raw, key: string): number => Object.keys(recordAt(raw, [key])).length;

/** The workload: its tables, the statements or operation that run on them, and all other settings. */
export const WorkloadTabs = ({ raw, problems }: Props) => {
  const parts = [<OperationSection key="operation" raw={raw} />, <StatementsSection key="statements" raw={raw} />];
  const item = (id: WorkloadPart, label: string, note: string) => {
    const status = problems ? statusOf(id, problems) : 'ok';
    return { id, label, note, ...(status !== 'ok' && { mark: <StatusMark status={status} /> }) };
  };
  return (
    <section className="workload-tabs" aria-label="Workload">
      <Tabs<WorkloadPart>
        label="Parts of the workload"
        selected={useStore(shownPart)}
        onSelect={(part) => shownPart.set(part)}
        items={[
          {
            ...item('data', 'Data', count(keysAt(raw, 'tables') + (raw.dataset === undefined ? 0 : 1))),
            content: (
              <>
                <DatasetSection raw={raw} />
                <TablesSection raw={raw} />
                <SetupSection raw={raw} />
                <TeardownSection raw={raw} />
              </>
            ),
          },
          {
            ...item('statements', 'Statements', count(keysAt(raw, 'statements'))),
            // A user opens this tab more often for the statements than for their load.
            content: keysAt(raw, 'statements') > 0 ? parts.toReversed() : parts,
          },
          {
            ...item('advanced', 'Advanced', count(otherSettings(raw).length + keysAt(raw, 'checks'))),
            content: (
              <>
                <AdvancedSettings raw={raw} />
                <OptionsSection raw={raw} />
                <ChecksSection raw={raw} />
              </>
            ),
          },
        ]}
      />
    </section>
  );
};
