import { formatUpTo } from './format.ts';
/** "1 trial", "1,200 trials". */
export const many = (value: number, one: string): string => `${formatUpTo(value)} ${one}${value === 1 ? '' : 's'}`;
