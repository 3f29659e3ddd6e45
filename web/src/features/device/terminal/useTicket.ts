import { useDispatch } from 'react-redux';
import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { api } from '../../../lib/api/api.ts';
import { errorText, statusOf } from '../../../lib/api/errors.ts';
import { messages } from '../../../lib/messages.ts';
import { TicketRefused } from '../../../sessions/terminal/types.ts';
import type { TerminalTicket } from '../../../sessions/terminal/types.ts';

/** Whether another try may get another answer: the hub was not reached, is in trouble, or is busy. */
const isPassing = (status: number | undefined) => status === undefined || status >= 500 || status === 429;

/** Asks for a socket token of the device: one for each connection. */
export function useTicket(id: string): () => Promise<TerminalTicket> {
  const dispatch = useDispatch<ThunkDispatch<unknown, unknown, UnknownAction>>();
  return async () => {
    const ask = api.endpoints.getSocketToken.initiate(
      { id, purpose: 'terminal' },
      { subscribe: false, forceRefetch: true },
    );
    try {
      const { token, user_id: user, device_sid: device } = await dispatch(ask).unwrap();
      return { token, user, device };
    } catch (error) {
      throw new TicketRefused(errorText(error, messages.terminal.tokenRefused), isPassing(statusOf(error)));
    }
  };
}
