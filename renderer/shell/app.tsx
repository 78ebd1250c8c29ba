import { useEffect } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { addToDraft } from '../builder/targets/add-to-draft.ts';
import { UsageDialog } from '../builder/targets/usage-dialog.tsx';
import { CleanDialog } from '../connections/clean-dialog.tsx';
import { ImportDialog } from '../connections/import-dialog.tsx';
import { TestDialog } from '../connections/test-dialog.tsx';
import { HelpPanel } from '../help/help-panel.tsx';
import { AdviseDialog } from '../library/advise/advise-dialog.tsx';
import { CompareChangeDialog } from '../library/compare-change/compare-change-dialog.tsx';
import { ImportStatementsDialog } from '../library/import-statements/import-statements-dialog.tsx';
import { newExperiment } from '../library/library-actions.ts';
import { newExperimentText } from '../library/new-experiment.ts';
import { TestSqlDialog } from '../library/test-sql/test-sql-dialog.tsx';
import { GapDialog } from '../results/gap/gap-dialog.tsx';
import { AnnotationDialog } from '../runs/annotation-dialog.tsx';
import { DifferenceDialog } from '../runs/difference-dialog.tsx';
import { ReportDialog } from '../runs/report-dialog.tsx';
import { currentPage, type PageAddress } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { Toasts } from '../ui/overlays/toast.tsx';
import { CommandPalette } from './command-palette.tsx';
import { DropZone } from './drop-zone.tsx';
import { focusOn } from './focus-on.ts';
import { HelpDialog } from './help-dialog.tsx';
import { HomeView } from './home/home-view.tsx';
import { PageBoundary } from './page-boundary.tsx';
import {
  BuilderView,
  CompareView,
  ConnectionsView,
  ConnectionView,
  ExperimentPage,
  HistoryView,
  LibraryView,
  LoadHostsView,
  RunsView,
  RunView,
  SettingsView,
  StoryPage,
} from './pages.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { ProductionDialog } from './production-dialog.tsx';
import { Rail } from './rail.tsx';
import { ServerChangeDialog } from './server-change-dialog.tsx';
import { useShortcuts } from './shortcuts.ts';
import { SkipLinks } from './skip-links.tsx';
import { Tour } from './tour/tour.tsx';
import { TrustDialog } from './trust-dialog.tsx';

const useAsTarget = (name: string): void => void addToDraft(name, newExperimentText);

const Page = ({ here }: { readonly here: PageAddress }) => {
  switch (here.page) {
    case 'home':
      return <HomeView />;
    case 'experiments':
      return <LibraryView />;
    case 'experiment':
      return <ExperimentPage key={here.id} id={here.id} />;
    case 'story':
      return <StoryPage key={here.id} id={here.id} />;
    case 'builder':
      return <BuilderView onNew={newExperiment} />;
    case 'connections':
      return <ConnectionsView onUse={useAsTarget} />;
    case 'connection':
      return <ConnectionView onUse={useAsTarget} />;
    case 'hosts':
      return <LoadHostsView />;
    case 'settings':
      return <SettingsView />;
    case 'runs':
      return <RunsView />;
    case 'run':
      return <RunView key={here.runId} runId={here.runId} />;
    case 'history':
      return <HistoryView key={here.experiment} experiment={here.experiment} />;
    case 'compare':
      return <CompareView key={here.runIds.join(' ')} runIds={here.runIds} />;
  }
};

export const App = () => {
  useShortcuts();
  const here = useStore(currentPage);
  // A page that goes takes its focused button with it: the keyboard then begins at the next page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect is about the change of the page
  useEffect(() => {
    // A dialog that opened the page returns the focus a frame after it has closed.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (document.activeElement === document.body) focusOn('main');
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [here]);
  return (
    // The texts of the window are in English for every system language.
    <I18nProvider locale="en">
      <div className="app">
        <SkipLinks />
        <Rail />
        <main className="page" tabIndex={-1}>
          <PageBoundary key={JSON.stringify(here)}>
            <Page here={here} />
          </PageBoundary>
        </main>
        <Tour />
        <HelpPanel />
        <CommandPalette />
        <HelpDialog />
        <TestSqlDialog />
        <CompareChangeDialog />
        <ImportStatementsDialog />
        <AdviseDialog />
        <TestDialog />
        <UsageDialog />
        <CleanDialog />
        <ImportDialog />
        <ReportDialog />
        <AnnotationDialog />
        <DifferenceDialog />
        <GapDialog />
        <PasswordDialog />
        <TrustDialog />
        <ProductionDialog />
        <ServerChangeDialog />
        <Toasts />
        <DropZone />
      </div>
    </I18nProvider>
  );
};
