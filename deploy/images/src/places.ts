import { join } from 'node:path';
import { root } from '@warren/local/settings';

/** All that making images leaves. */
const work = join(root, '.warren/images');
/** What Docker is given. */
export const context = join(work, 'context');
/** What it is given for one image, a folder for each processor. */
export const contextOf = (target: string) => join(context, target);
/** A list of parts (CycloneDX) and their licences for each image. */
export const reports = join(work, 'reports');
/** Dependencies of another processor than this machine's. */
export const dependencies = (processor: string) => join(work, `dependencies-${processor}`);
/** What runs in the images beside the services, and in their making. */
export const parts = join(root, 'deploy/images/src/parts');
export const dockerfile = join(root, 'deploy/images/Dockerfile');
