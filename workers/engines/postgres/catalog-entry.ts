export { config } from './config.ts';
export { descriptor } from './descriptor.ts';
export { logs } from './logs/logs.ts';
