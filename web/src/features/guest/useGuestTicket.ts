import { errorText, isPassing, statusOf } from '../../lib/api/errors.ts';
import { guestsApi } from '../../lib/api/guests.ts';
import { messages } from '../../lib/messages.ts';
import { TicketRefused } from '../../sockets/ticket.ts';
import type { Ticket } from '../../sockets/ticket.ts';

/** Requests a socket token of a guest: one for each connection. */
export function useGuestTicket(): () => Promise<Ticket> {
  const [make] = guestsApi.useMakeGuestSocketTokenMutation();
  return async () => {
    try {
      const { token, user_id: user, device_sid: device } = await make().unwrap();
      return { token, user, device };
    } catch (error) {
      throw new TicketRefused(errorText(error, messages.terminal.tokenRefused), isPassing(statusOf(error)));
    }
  };
}
