import { Component, type ReactNode } from 'react';
import { toErrorData } from '#model/error.ts';
import { CopyBox } from './copy-box.tsx';
import { Notice } from './notice.tsx';

interface Props {
  /** The title of the panel. */
  readonly title: string;
  readonly children: ReactNode;
}

interface Failure {
  readonly thrown: unknown;
}

/** The message that replaces a failed panel, with the error to copy. */
export const PanelFailure = ({ title, thrown }: Failure & Pick<Props, 'title'>) => (
  <section className="panel panel-text stack" aria-label={title}>
    <Notice tone="error" title={`“${title}” cannot be shown`}>
      {`${toErrorData(thrown).message} The measurements are unchanged, and the rest of the page works.`}
    </Notice>
    <CopyBox label="Error" text={errorText(thrown)} />
  </section>
);

const errorText = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);

/** Keeps the page usable if a panel throws during rendering. Every change tries to render the panel again. */
export class PanelBoundary extends Component<Props, { readonly failure: Failure | null }> {
  override readonly state: { readonly failure: Failure | null } = { failure: null };

  static getDerivedStateFromError(thrown: unknown) {
    return { failure: { thrown } };
  }

  override componentDidUpdate({ children }: Props): void {
    if (this.state.failure !== null && children !== this.props.children) this.setState({ failure: null });
  }

  override render(): ReactNode {
    const { title, children } = this.props;
    const { failure } = this.state;
    return failure === null ? children : <PanelFailure title={title} thrown={failure.thrown} />;
  }
}
