import { time } from '../../lib/format.ts';
import { messages } from '../../lib/messages.ts';
import { useNetwork } from '../../lib/network.ts';
import classes from './NetworkBanner.module.css';

const text = messages.network;

/** Says that the hub can't be reached, and how old what is shown is. Its place is always there, so that it is announced. */
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
