import { basename } from 'node:path';
import { writeZip } from '../zip.mjs';

/** Makes a .zip of the app's folder, which runs from wherever it is unpacked. */
export const makeZip = ({ app, file }) => writeZip(app, file, { level: 6, prefix: `${basename(file, '.zip')}/` });
