import { createContext, type ReactNode } from 'react';

/** The remark under every chart of a view; null for none. */
export const ChartRemark = createContext<ReactNode>(null);
