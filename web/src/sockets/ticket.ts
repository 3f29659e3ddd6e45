/** The ticket of one connection: used once, valid for 60 seconds. */
export interface Ticket {
  token: string;
  user: string;
  /** The id of the agent's link; '' when the device is not connected. */
  device: string;
}

/** A refused ticket. `retry`: whether another request without the user may succeed. */
export class TicketRefused extends Error {
  constructor(
    message: string,
    readonly retry: boolean,
  ) {
    super(message);
  }
}
