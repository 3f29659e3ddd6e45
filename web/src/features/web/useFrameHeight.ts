import { useEffect, useState } from 'react';
import { web } from '../../lib/messages/web.ts';
import { resizeHeight } from './resize.ts';

/**
 * The height, in pixels, from the framed page's resize message; undefined before one. Only messages from the device's own host
 * and the studio of this hub are accepted (specification, section 8).
 * @param studio origin of the studio; empty without one
 */
export function useFrameHeight(address: string, studio: string): number | undefined {
  const [height, setHeight] = useState<number>();
  useEffect(() => {
    const trusted = [`${window.location.protocol}//${address}`, studio].filter((origin) => origin !== '');
    const hear = ({ data, origin }: MessageEvent<unknown>) => {
      const asked = resizeHeight(data);
      if (asked === undefined) return;
      if (trusted.includes(origin)) setHeight(asked);
      // oxlint-disable-next-line no-console -- the specification asks for it (section 8)
      else console.warn(web.untrusted(origin));
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, [address, studio]);
  return height;
}
