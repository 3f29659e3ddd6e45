import { time } from '../../lib/format.ts';
import { messages } from '../../lib/messages.ts';
import { useNetwork } from '../../lib/network.ts';
import classes from './NetworkBanner.module.css';

const text = messages.network;

/** Says that the hub is unreachable, and how old the shown data is. Always rendered, so that screen readers announce it. */
export function NetworkBanner() {
  const { state, since } = useNetwork();
  return (
    <div role="status" className={classes.root} data-shown={state !== 'online' || undefined}>
      {state === 'online' ? null : (
        <>
          <strong>{text[state]}</strong> {text.since(time(new Date(since).toISOString()))}
        </>
      )}
    </div>
  );
}
