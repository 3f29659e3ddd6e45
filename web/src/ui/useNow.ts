import { useEffect, useState } from 'react';
import { hubNow } from '../lib/clock.ts';

/** Returns the hub's time in ms since epoch, updated every `ms` milliseconds while the component is shown. */
export function useNow(ms: number): number {
  const [now, setNow] = useState(hubNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(hubNow()), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return now;
}
