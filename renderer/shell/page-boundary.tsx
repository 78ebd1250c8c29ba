import { Component, type ReactNode } from 'react';
import { toErrorData } from '#model/error.ts';
import { Button } from '../ui/controls/button.tsx';
import { Notice } from '../ui/display/notice.tsx';

interface Failure {
  readonly thrown: unknown;
}

/** The message that replaces a page which failed to render. */
export const PageFailure = ({ thrown, onRetry }: Failure & { readonly onRetry: () => void }) => {
  const { message, hint } = toErrorData(thrown);
  return (
    <div className="page-body stack">
      <Notice tone="error" title="This page cannot be shown">
        {message} {hint ?? 'Stored data is unchanged. Go to another page, or try again.'}
      </Notice>
      <div>
        <Button onPress={onRetry}>Try again</Button>
      </div>
    </div>
  );
};

/** Keeps the window usable if a page throws during rendering. React would otherwise unmount the whole window. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly failure: Failure | null }> {
  override readonly state: { readonly failure: Failure | null } = { failure: null };

  static getDerivedStateFromError(thrown: unknown) {
    return { failure: { thrown } };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    return <PageFailure thrown={failure.thrown} onRetry={() => this.setState({ failure: null })} />;
  }
}
