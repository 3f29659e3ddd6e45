import { useRef } from 'react';
import { useDispatch } from 'react-redux';
import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { api } from '../../lib/api/api.ts';
import { deviceActionsApi } from '../../lib/api/device-actions.ts';
import { errorText, isPassing, statusOf } from '../../lib/api/errors.ts';
import { messages } from '../../lib/messages.ts';
import type { SocketKind } from '../../sockets/socket.ts';
import { TicketRefused } from '../../sockets/ticket.ts';
import type { Ticket } from '../../sockets/ticket.ts';

const ASK = { subscribe: false, forceRefetch: true } as const;

/** Requests of one kind in turn: concurrent ones would share one answer, and a token opens one socket. */
const last = new Map<string, Promise<unknown>>();
function inTurn<Answer>(kind: string, request: () => Promise<Answer>): Promise<Answer> {
  const answer = (last.get(kind) ?? Promise.resolve()).then(request, request);
  last.set(kind, answer);
  const forget = () => last.get(kind) === answer && last.delete(kind);
  answer.then(forget, forget);
  return answer;
}

/**
 * Requests a socket token of the device: one for each connection.
 * @param given a token for the first connection, which then needs no request
 */
export function useTicket(id: string, purpose: SocketKind, given: string | null = null): () => Promise<Ticket> {
  const dispatch = useDispatch<ThunkDispatch<unknown, unknown, UnknownAction>>();
  const first = useRef(given);
  return async () => {
    const ready = first.current;
    first.current = null;
    try {
      if (ready) {
        const info = await dispatch(deviceActionsApi.endpoints.getDeviceInfo.initiate({ id }, ASK)).unwrap();
        return { token: ready, user: info.user_id, device: info.device_sid };
      }
      const ask = () => {
        // Subscribed: the cleanup after the request before would remove this one's answer.
        const request = dispatch(api.endpoints.getSocketToken.initiate({ id, purpose }, { forceRefetch: true }));
        return request.unwrap().finally(() => request.unsubscribe());
      };
      const { token, user_id: user, device_sid: device } = await inTurn(`${purpose} ${id}`, ask);
      return { token, user, device };
    } catch (error) {
      throw new TicketRefused(errorText(error, messages.terminal.tokenRefused), isPassing(statusOf(error)));
    }
  };
}
