import { buildWindow } from '../package/build-code.mjs';
import { root } from './project.mjs';

// Builds the window of `npm start` into dist/, beside the programs.
await buildWindow(root, { files: '../', programs: 'programs/' });
