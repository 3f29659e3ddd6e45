import type { GetSessionApiResponse } from './generated/lists.ts';
import type { InvitationLink as AcceptedLink, NewGroup } from './generated/people.ts';

export type { Account, Device, Group, User, Workspace } from './generated/lists.ts';
export type { GroupName, Invitation } from './generated/people.ts';
export type { BulkJob, BulkJobDetail, StartBulkJob } from './generated/bulk.ts';
export type { LabelDevices, SavedFilter } from './generated/devices.ts';
/** The parameters of a link in a mail; the token is empty if the session proves the e-mail address. */
export type InvitationLink = Required<AcceptedLink>;
/** The signed-in person (specification, section 3). */
export type Session = GetSessionApiResponse;
/** A role that a group can be created with. */
export type GroupRole = NewGroup['role'];
