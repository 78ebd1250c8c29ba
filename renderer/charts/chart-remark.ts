import { createContext, type ReactNode } from 'react';

/** What has to be said under every chart of a view; null for nothing. */
export const ChartRemark = createContext<ReactNode>(null);
