import type { OpenAPIObject } from '@nestjs/swagger';
import { TOKEN_LIMITS, TOKEN_PREFIX } from '@warren/rules/tokens';
import { TOKEN_RULES, WITHOUT_TOKEN, type TokenRule } from '../auth/tokens/token.permissions.ts';
import { names, PUBLIC_ROUTES } from '../http/public-routes.ts';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${TOKEN_PREFIX}…`,
    description: `An API token of a person, made in the console; lasts ${TOKEN_LIMITS.days} days at most.`,
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-warren',
    description: 'The session of a browser; `warren` over plain http.',
  },
} as const;

/** Headers of responses. */
const HEADERS = {
  RateLimit: {
    description:
      'What is left for the token, and seconds until it is renewed (draft-ietf-httpapi-ratelimit-headers-10).',
    schema: { type: 'string' as const },
    example: '"token";r=599;t=60',
  },
  'RateLimit-Policy': {
    description: 'The limit of the token, and the seconds that it is for.',
    schema: { type: 'string' as const },
    example: '"token";q=600;w=60',
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' as const }, example: 7 },
  'WWW-Authenticate': {
    description: 'What is wrong with the token, or that one is expected (RFC 6750, section 3).',
    schema: { type: 'string' as const },
    example: 'Bearer realm="Warren", error="invalid_token"',
  },
};
type Header = keyof typeof HEADERS;

/** Adds to each operation how it is authorised, and the permissions that a token needs (OpenAPI 3.1, Security Requirement Object). */
export function secured(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      const isPublic = names(PUBLIC_ROUTES, method.toUpperCase(), pattern);
      secure(operation, isPublic);
    }
  }
  document.components = { ...document.components, headers: HEADERS, securitySchemes: SCHEMES };
  return document;
}

function secure(operation: Operation, isPublic: boolean): void {
  const id = operation.operationId ?? '';
  const rule = TOKEN_RULES[id];
  const permissions = [...(rule?.permissions ?? [])];
  operation.security = isPublic ? [] : [...(rule ? [{ token: permissions }] : []), { session: [] }];
  const note = rule
    ? needsOf(rule)
    : isPublic
      ? ''
      : `Not by an API token: ${WITHOUT_TOKEN[id] ?? 'it is not for tokens'}.`;
  const description = [operation.description, note].filter((text) => text).join('\n\n');
  if (description) operation.description = description;
  if (!isPublic) withHeaders(operation, rule !== undefined);
}

function needsOf({ permissions, besides, devices }: TokenRule): string {
  const needed = permissions.length > 0 ? permissions.map((name) => `\`${name}\``).join(', ') : 'no permission';
  const more = besides === undefined ? '' : `, and ${besides}`;
  const filtered = devices ? ' Also for a token that is limited to some devices.' : '';
  return `API token: ${needed}${more}.${filtered}`;
}

/** Each answer has its own copy: the answers of different operations may be one object. */
function withHeaders(operation: Operation, isForTokens: boolean): void {
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (!answer || '$ref' in answer) continue;
    const added = headersOf(status, isForTokens).map((name) => [name, { $ref: `#/components/headers/${name}` }]);
    operation.responses[status] = { ...answer, headers: { ...answer.headers, ...Object.fromEntries(added) } };
  }
}

function headersOf(status: string, isForTokens: boolean): Header[] {
  const rate: Header[] = isForTokens && status !== '401' ? ['RateLimit', 'RateLimit-Policy'] : [];
  if (status === '401') return ['WWW-Authenticate'];
  if (status === '403' && isForTokens) return [...rate, 'WWW-Authenticate'];
  return status === '429' || status === '503' ? [...rate, 'Retry-After'] : rate;
}
