import { GROUP_SCHEMA, PATCH_SCHEMA, USER_SCHEMA } from '@warren/infra/scim/trace';
import { GROUP, groups, OTHER_USER, USER, users } from './scim.paths.ts';

const patch = (...Operations: unknown[]) => ({ schemas: [PATCH_SCHEMA], Operations });
const user = (more: object = {}) => ({ schemas: [USER_SCHEMA], userName: 'Ann.Lee@acme.test', ...more });
/** As text: JSON.stringify has less patience than JSON.parse. */
const deep = `{"schemas":["${USER_SCHEMA}"],"userName":"a","name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
const many = (count: number) => Array.from({ length: count }, () => ({ value: USER }));
const filter = (text: string, path = users) => `${path}?filter=${encodeURIComponent(text)}`;
const member = (path: string) => patch({ op: 'remove', path });

/** Requests that are refused: what, method, path, body, status and type of the error. */
export const HOSTILE: [what: string, method: string, path: string, body: unknown, status: number, type?: string][] = [
  ['no JSON', 'POST', users, '{"schemas":', 400, 'invalidSyntax'],
  ['no object', 'POST', users, [], 400, 'invalidSyntax'],
  ['another schema', 'POST', users, user({ schemas: [GROUP_SCHEMA] }), 400, 'invalidSyntax'],
  ['a deep body', 'POST', users, deep, 400, 'invalidSyntax'],
  ['a large body', 'POST', users, user({ title: 'x'.repeat(513 * 1024) }), 413],
  ['a long name', 'POST', users, user({ displayName: 'x'.repeat(257) }), 400, 'invalidValue'],
  ['NUL in a name', 'POST', users, user({ displayName: 'a\0b' }), 400, 'invalidValue'],
  ['half a character', 'POST', users, user({ externalId: '\ud800' }), 400, 'invalidValue'],
  ['no user name', 'POST', users, { schemas: [USER_SCHEMA] }, 400, 'invalidValue'],
  [
    'a number as active',
    'PATCH',
    `${users}/${USER}`,
    patch({ op: 'replace', path: 'active', value: 0 }),
    400,
    'invalidValue',
  ],
  ['an unknown operation', 'PATCH', `${users}/${USER}`, patch({ op: 'move', path: 'active' }), 400, 'invalidValue'],
  ['no operations', 'PATCH', `${users}/${USER}`, patch(), 400, 'invalidValue'],
  ['too many operations', 'PATCH', `${users}/${USER}`, patch(...many(1_001)), 400, 'invalidValue'],
  ['a removal without a path', 'PATCH', `${users}/${USER}`, patch({ op: 'remove' }), 400, 'noTarget'],
  [
    'an attribute of nobody',
    'PATCH',
    `${users}/${USER}`,
    patch({ op: 'add', path: 'role', value: 'Owner' }),
    400,
    'invalidPath',
  ],
  [
    'a path into the prototype',
    'PATCH',
    `${users}/${USER}`,
    patch({ op: 'add', path: '__proto__.x', value: 1 }),
    400,
    'invalidPath',
  ],
  [
    'too many members',
    'PATCH',
    `${groups}/${GROUP}`,
    patch({ op: 'add', path: 'members', value: many(1_001) }),
    400,
    'invalidValue',
  ],
  [
    'too many members together',
    'PATCH',
    `${groups}/${GROUP}`,
    patch(...[1, 2].map(() => ({ op: 'add', path: 'members', value: many(600) }))),
    400,
    'tooMany',
  ],
  [
    'a member with another comparison',
    'PATCH',
    `${groups}/${GROUP}`,
    member('members[value ne "x"]'),
    400,
    'invalidPath',
  ],
  ['a long path', 'PATCH', `${groups}/${GROUP}`, member(`members[value eq "${'x'.repeat(600)}"]`), 400, 'invalidValue'],
  [
    'line breaks in a quote that stays open',
    'PATCH',
    `${groups}/${GROUP}`,
    member(`members[value eq "${'\n'.repeat(400)}]`),
    400,
    'invalidPath',
  ],
  ['such a filter', 'GET', filter(`userName eq "${'\n'.repeat(400)}`), undefined, 400, 'invalidFilter'],
  ['a deep filter', 'GET', filter(`${'('.repeat(250)}id pr${')'.repeat(250)}`), undefined, 400, 'invalidFilter'],
  ['a long filter', 'GET', filter(`userName eq "${'x'.repeat(600)}"`), undefined, 400, 'invalidFilter'],
  ['a filter on the prototype', 'GET', filter('constructor eq "x"'), undefined, 400, 'invalidFilter'],
  ['a filter on another attribute', 'GET', filter('password eq "x"'), undefined, 400, 'invalidFilter'],
  ['a filter of users for groups', 'GET', filter('userName eq "x"', groups), undefined, 400, 'invalidFilter'],
  ['a filter that finds others', 'GET', filter('userName eq "x" or userName pr'), undefined, 400, 'invalidFilter'],
  ['two filters', 'GET', `${filter('id eq "1"')}&filter=x`, undefined, 400, 'invalidValue'],
  ['an id of no form', 'GET', `${users}/%00`, undefined, 404],
  ['a broken path', 'GET', `${users}/%E0%A4%A`, undefined, 400, 'invalidSyntax'],
  ['an id that is unknown', 'GET', `${users}/${OTHER_USER}`, undefined, 404],
  ['bulk operations', 'POST', '/scim/v2/Bulk', {}, 404],
  ['an unknown page', 'GET', '/scim/v2/Me', undefined, 404],
];
