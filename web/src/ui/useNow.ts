import { useEffect, useState } from 'react';
import { hubNow } from '../lib/clock.ts';

/** The hub's time, in ms since epoch, renewed every `ms` while the component is shown. */
export function useNow(ms: number): number {
  const [now, setNow] = useState(hubNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(hubNow()), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return now;
}
