/** Numbers of the product (spec section 9, and the decisions). Each stands here once, for the forms and for the requests. */
export const LIMITS = {
  /** Rows on a page of a list. */
  pageSize: { accounts: 50, groups: 50, devices: 50, users: 20, invitations: 10 },
  /** The most rows that one request may ask for. */
  pageMax: 200,
  /** A search text shorter than this is no search. */
  searchMin: 2,
  /** A search text longer than this is refused. */
  searchMax: 200,
  inviteEmails: 10,
  inviteGroups: 10,
  /** A person's picture as it is chosen, before it is made smaller. */
  pictureBytes: 1_048_576,
  /** Groups that one account may have, its default groups included. */
  accountGroups: 1_000,
  /** Devices that one installer line may enrol. */
  enrolDevices: 500,
  /** Milliseconds. */
  toast: 5_000,
  terminalConnect: 5_000,
  desktopDisconnect: 3_000,
} as const;
