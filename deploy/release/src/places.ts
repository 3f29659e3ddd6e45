import { join } from 'node:path';
import { root } from '@warren/local/settings';

/** Where a finished release stands. */
export const folderOf = (version: string) => join(root, 'dist/release', version);
/** All that making one leaves. */
export const work = join(root, '.warren/release');
