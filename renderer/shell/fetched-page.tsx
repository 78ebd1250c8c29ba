import { type ComponentType, useEffect, useState } from 'react';

/** A page whose module is fetched apart from the window's. */
interface FetchedPage<Props> {
  /** Shows nothing until the module is there; throws what hindered it. */
  readonly View: ComponentType<Props>;
  /** Fetches the module ahead of its first use. */
  fetch(): Promise<void>;
}

/**
 * React's `lazy` would leave every page empty for 300 ms at its first visit, even where its module is there: it shows
 * its fallback first, and no content follows a fallback sooner (FALLBACK_THROTTLE_MS of react-reconciler).
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
