import { type ComponentType, useEffect, useState } from 'react';

/** A page whose module is loaded separately from the window. */
interface FetchedPage<Props> {
  /** The page. It is empty until its module is loaded, and throws the error if that fails. */
  readonly View: ComponentType<Props>;
  /** Loads the module before its first use. */
  fetch(): Promise<void>;
}

/**
 * Loads a page without React's `lazy`, which would leave each page empty for 300 ms at its first visit even if the
 * module is already loaded: it shows its fallback first, and React delays content after a fallback
 * (FALLBACK_THROTTLE_MS of react-reconciler).
 */
export function fetchedPage<Props extends object>(load: () => Promise<ComponentType<Props>>): FetchedPage<Props> {
  let Page: ComponentType<Props> | null = null;
  const fetch = async (): Promise<void> => {
    Page ??= await load();
  };
  const View = (props: Props) => {
    const [{ failure }, setState] = useState<{ readonly failure: unknown }>({ failure: null });
    useEffect(() => {
      if (Page === null)
        fetch().then(
          () => setState({ failure: null }),
          (thrown: unknown) => setState({ failure: thrown }),
        );
    }, []);
    if (failure !== null) throw failure;
    return Page && <Page {...props} />;
  };
  return { View, fetch };
}
