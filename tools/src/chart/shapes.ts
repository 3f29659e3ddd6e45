/** A part of a JSON schema. */
export interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
}

const HOST = '([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = '([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const EMAIL = `[^\\s@]+@${DOMAIN}`;
/** An object of Kubernetes. */
const NAME = '[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?';
/** What may name the client: as the gateway reads TRUST_PROXY. */
const PROXY = '(loopback|linklocal|uniquelocal|[0-9A-Fa-f]*[.:][0-9A-Fa-f.:]*(/[0-9]{1,3})?)';
const REFERENCE = '[a-z0-9._-]+(:[0-9]+)?(/[a-z0-9._-]+)*';
const TAG = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}';
const DIGEST = 'sha256:[0-9a-f]{64}';

/** A text of one form, which may be alternatives. */
const text = (form: string): Schema => ({ type: 'string', pattern: `^(?:${form})$` });
/** Empty means not given. */
const maybe = (form: string): Schema => text(`|${form}`);
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const closed = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  additionalProperties: false,
  ...(required.length > 0 && { required }),
  properties,
});
const quota = (minimum: number, maximum: number): Schema => ({
  type: ['integer', 'string'],
  minimum,
  maximum,
  pattern: '^unlimited$',
});
const seconds = { type: 'integer', minimum: 1 };
const registry = maybe('[a-z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)*');
const repository = maybe('[a-z0-9._-]+(/[a-z0-9._-]+)*');

/** Forms of values, by the name that follows `@shape` in values.yaml. Helm's schemas know the regular expressions of RE2. */
export const SHAPES: Record<string, Schema> = {
  name: maybe(NAME),
  host: maybe(HOST),
  email: maybe(EMAIL),
  emails: listOf(text(EMAIL)),
  dnsServers: listOf(
    text('([0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9A-Fa-f:]+\\])(:[0-9]{1,5})?|[0-9A-Fa-f:]*:[0-9A-Fa-f:]*'),
  ),
  accountName: maybe('[A-Za-z0-9 ]{1,64}'),
  sender: maybe('[^\\p{Cc}]*[^\\s@\\p{Cc}]+@[^\\s@\\p{Cc}]+'),
  origin: maybe('https?://[^/?#\\s]+/?'),
  url: maybe('https?://[^/?#\\s]+[^\\s]*'),
  /** A URL without a user and a password, which are in a Secret. */
  receiver: maybe('https?://[^/?#\\s@]+([/?#][^\\s]*)?'),
  basicUser: maybe('[^:\\p{Cc}]{1,256}'),
  redisUrl: maybe('rediss?://[^/\\s]+[^\\s]*'),
  natsUrl: maybe('(nats|tls)://[^,\\s]+(, *((nats|tls)://)?[^,\\s/]+/?)*'),
  nodes: listOf(text('([^\\s:/@]+|\\[[0-9A-Fa-f:]+\\]):[0-9]{1,5}')),
  trustProxy: {
    type: ['string', 'integer'],
    minimum: 0,
    maximum: 99,
    pattern: `^(No|no|[0-9]{1,2}|${PROXY}(, *${PROXY})*)$`,
  },
  /** As the gateway reads RATE_LIMITS; it knows the names. */
  rateLimits: text('(Yes|No|[a-z-]+=[1-9][0-9]{0,6}(, *[a-z-]+=[1-9][0-9]{0,6})*)'),
  quota: quota(0, 1_000_000),
  quotaFromOne: quota(1, 1_000_000),
  quotaOfCalls: quota(60, 10_000_000),
  providers: {
    ...listOf(
      closed(
        {
          id: text('[a-z0-9][a-z0-9-]{0,31}'),
          name: { type: 'string', minLength: 1, maxLength: 80 },
          // A path has no colon.
          metadata: text('(https://[^/?#\\s]+[^\\s]*|[^:\\s]+)'),
          domains: { type: ['array', 'null'], items: text(DOMAIN), minItems: 1 },
          emailAttribute: { type: 'string', minLength: 1, maxLength: 200 },
          groupsAttribute: { type: 'string', minLength: 1, maxLength: 200 },
          listed: { type: 'boolean' },
        },
        ['id', 'name', 'metadata'],
      ),
    ),
    maxItems: 50,
  },
  oidcProviders: {
    ...listOf(
      closed(
        {
          id: text('[a-z0-9][a-z0-9-]{0,31}'),
          name: { type: 'string', minLength: 1, maxLength: 80 },
          issuer: text('https://[^/?#\\s@]+[^?#\\s]*'),
          clientId: { type: 'string', minLength: 1, maxLength: 255 },
          clientSecretKey: text('[A-Za-z0-9._-]{1,253}'),
          domains: { type: ['array', 'null'], items: text(DOMAIN), minItems: 1 },
          scopes: { ...listOf({ type: 'string', minLength: 1, maxLength: 100 }), maxItems: 20 },
          emailClaim: text('[A-Za-z0-9_.:/-]{1,100}'),
          groupsClaim: text('[A-Za-z0-9_.:/-]{1,100}'),
          emailVerified: { enum: ['claim', 'assumed'] },
          maxAge: { type: 'integer', minimum: 60, maximum: 2_592_000 },
          listed: { type: 'boolean' },
        },
        ['id', 'name', 'issuer', 'clientId'],
      ),
    ),
    maxItems: 50,
  },
  /** Fields alone; `warren.cron` knows their ranges. */
  cron: maybe('(@(yearly|annually|monthly|weekly|daily|midnight|hourly)|[^\\s@]+( +[^\\s]+){4})'),
  duration: text('([0-9]+(ms|s|m|h))+'),
  quantity: text('[0-9]+(\\.[0-9]+)?(Ki|Mi|Gi|Ti|Pi|k|M|G|T|P)?'),
  storageClass: maybe(`(-|${NAME})`),
  ports: listOf({ type: 'integer', minimum: 1, maximum: 65_535 }),
  formerKeys: listOf(text('[A-Za-z0-9+/]+={0,2}')),
  networks: listOf(text('[0-9A-Fa-f]*[.:][0-9A-Fa-f.:]*/[0-9]{1,3}')),
  countOrPercent: { type: ['integer', 'string'], minimum: 0, pattern: '^(|[0-9]{1,2}%|100%)$' },
  probe: closed({
    initialDelaySeconds: { type: 'integer', minimum: 0 },
    periodSeconds: seconds,
    timeoutSeconds: seconds,
    successThreshold: seconds,
    failureThreshold: seconds,
  }),
  registry,
  repository,
  tag: maybe(TAG),
  reference: maybe(`${REFERENCE}(:${TAG})?(@${DIGEST})?`),
  references: listOf(closed({ name: text(NAME) }, ['name'])),
  image: closed({
    registry,
    repository,
    tag: maybe(TAG),
    digest: maybe(DIGEST),
    pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
  }),
};
