import { createContext, type ReactNode } from 'react';

/** The remark under every chart of a view. Null without a remark. */
export const ChartRemark = createContext<ReactNode>(null);
