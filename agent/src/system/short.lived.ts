import { shortLivedBytes } from '@warren/transport/short.lived';

/** Counts bytes that HTTP/2 reads from the link and terminals print; each is relayed at once. After a flood, memory is released. */
export const shortLived = shortLivedBytes({ everyBytes: 4 * 1024 * 1024, releaseAfterMs: 20_000 });
