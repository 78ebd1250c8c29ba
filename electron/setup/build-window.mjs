import { buildWindow } from '../package/build-code.mjs';
import { root } from './project.mjs';

// Builds the window of `npm start` into dist/; what plain Node runs are the source files.
await buildWindow(root, { programs: '../', isBuilt: false });
