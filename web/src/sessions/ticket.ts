/** What one connection needs: given once for each connection, good for 60 seconds. */
export interface Ticket {
  token: string;
  user: string;
  /** The agent's connection; '' when the device is not connected. */
  device: string;
}

/** A ticket that was not given. `retry`: whether it makes sense to ask again without the user. */
export class TicketRefused extends Error {
  constructor(
    message: string,
    readonly retry: boolean,
  ) {
    super(message);
  }
}
