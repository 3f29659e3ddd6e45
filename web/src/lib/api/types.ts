import type { GetWorkspaceApiResponse } from './generated.ts';

export type { Account, Device, Group, Session, SocketToken, User } from './generated.ts';
export type Workspace = GetWorkspaceApiResponse;
