import { Terminal } from '../features/device/terminal/Terminal.tsx';
import { GuestPage, type GuestTerminalProps } from '../features/guest/GuestPage.tsx';
import classes from '../features/device/DevicePage.module.css';

/** The page of a guest: only a terminal, in the whole window. */
export function GuestRoute() {
  return <GuestPage terminal={GuestTerminal} />;
}

function GuestTerminal({ session, lead, ticket }: GuestTerminalProps) {
  return (
    <main className={classes.window}>
      <Terminal
        guest
        id={session.device_id}
        slot={session.id}
        name={session.device}
        online={session.online}
        ticket={ticket}
        lead={lead}
      />
    </main>
  );
}
