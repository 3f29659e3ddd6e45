import { join } from 'node:path';
import { root } from '@warren/local/settings';

/** Folder of all build files of images. */
const work = join(root, '.warren/images');
/** Docker's build contexts. */
export const context = join(work, 'context');
/** The build contexts of an image, a folder per processor. */
export const contextOf = (target: string) => join(context, target);
/** A list of parts (CycloneDX) and their licences for each image. */
export const reports = join(work, 'reports');
/** Dependencies of another processor than this machine's. */
export const dependencies = (processor: string) => join(work, `dependencies-${processor}`);
/** Programs that run in images beside the services, and during their build. */
export const parts = join(root, 'deploy/images/src/parts');
export const dockerfile = join(root, 'deploy/images/Dockerfile');
