export { config } from './config.ts';
export { descriptor } from './descriptor.ts';
