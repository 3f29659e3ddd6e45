import type { PipeTarget } from '../pipe.ts';

/** What a viewer says first: version 3.8 and the security type None (RFC 6143, section 7.1). */
export const VIEWER_HELLO = Buffer.from('RFB 003.008\n\x01');

/** Speaks to a target as a viewer does whose session is not encrypted, so that it can be recorded. */
export function asViewer(target: PipeTarget): PipeTarget {
  const open = async () => {
    const pipe = await target.open();
    let hello = VIEWER_HELLO;
    const write = (bytes: Buffer) => {
      const all = Buffer.concat([hello, bytes]);
      hello = Buffer.alloc(0);
      return pipe.write(all);
    };
    return { ...pipe, write };
  };
  return { ...target, open };
}
