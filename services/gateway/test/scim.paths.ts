export const USER = '01997b5c-0000-7000-8000-0000000000f1';
export const OTHER_USER = '01997b5c-0000-7000-8000-0000000000f2';
export const GROUP = '01997b5c-0000-7000-8000-0000000000e7';

export const users = '/scim/v2/Users';
export const groups = '/scim/v2/Groups';
