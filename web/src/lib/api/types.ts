import type { GetSessionApiResponse } from './generated/lists.ts';
import type { InvitationLink as AcceptedLink, NewGroup } from './generated/people.ts';

export type { Account, Device, Group, User, Workspace } from './generated/lists.ts';
export type { GroupName, Invitation } from './generated/people.ts';
export type { BulkJob, BulkJobDetail, StartBulkJob } from './generated/bulk.ts';
export type { LabelDevices, SavedFilter } from './generated/devices.ts';
/** What a mail's link carries; the token is empty where the session vouches for the address. */
export type InvitationLink = Required<AcceptedLink>;
/** The signed-in person (specification, section 3). */
export type Session = GetSessionApiResponse;
/** A role that a group can be made with. */
export type GroupRole = NewGroup['role'];
