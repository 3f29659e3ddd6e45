export interface SimpleSamlOptions {
  /** Assertions are encrypted for the hub. */
  encrypted: boolean;
  /** It tells of a logout in a frame for each service, instead of by a walk through all of them. */
  frames: boolean;
  /** Whom it knows; everybody's password is `secret`. */
  people: readonly { email: string; name: string }[];
}

export interface Place extends SimpleSamlOptions {
  folder: string;
  url: string;
}

/** A PHP literal. */
function php(value: unknown): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
  if (Array.isArray(value)) return `[${value.map(php).join(', ')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  return `[${Object.entries(value)
    .map(([key, one]) => `${/^\d+$/.test(key) ? key : php(key)} => ${php(one)}`)
    .join(', ')}]`;
}

const file = (name: string, value: object) => `<?php\n$${name} = ${php(value)};\n`;

function main({ folder, url }: Place): object {
  return {
    baseurlpath: `${url}/`,
    certdir: `${folder}/cert/`,
    loggingdir: `${folder}/log/`,
    datadir: `${folder}/data/`,
    tempdir: `${folder}/tmp`,
    metadatadir: `${folder}/metadata/`,
    attributenamemapdir: '/usr/share/simplesamlphp/attributemap/',
    timezone: 'UTC',
    secretsalt: 'of-a-test-and-no-more',
    'auth.adminpassword': 'of-a-test-and-no-more',
    'enable.saml20-idp': true,
    'module.enable': { exampleauth: true, core: true, saml: true },
    'logging.handler': 'file',
    'logging.level': 7,
    debug: { saml: true, backtraces: true, validatexml: false },
    'session.cookie.secure': false,
    'session.cookie.samesite': null,
    'language.cookie.secure': false,
    'session.phpsession.savepath': `${folder}/sessions`,
    'store.type': 'phpsession',
    'trusted.url.domains': ['localhost'],
    'metadata.sources': [{ type: 'flatfile' }, { type: 'xml', file: `${folder}/metadata/hub.xml` }],
  };
}

function users({ people }: Place): object {
  const known = people.map(({ email, name }) => [
    `${email}:secret`,
    { uid: [email], mail: [email], displayName: [name] },
  ]);
  return {
    admin: ['core:AdminPassword'],
    people: { 0: 'exampleauth:UserPass', ...(Object.fromEntries(known) as object) },
  };
}

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

function provider({ url, encrypted, frames }: Place): object {
  return {
    [`${url}/saml2/idp/metadata.php`]: {
      host: '__DEFAULT__',
      privatekey: 'idp.pem',
      certificate: 'idp.crt',
      auth: 'people',
      NameIDFormat: persistent,
      authproc: { 10: { class: 'saml:PersistentNameID', attribute: 'uid' } },
      'attributes.NameFormat': 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
      'saml20.sign.assertion': true,
      'saml20.sign.response': true,
      'redirect.sign': true,
      'redirect.validate': true,
      'sign.logout': true,
      'assertion.encryption': encrypted,
      logouttype: frames ? 'iframe' : 'traditional',
    },
  };
}

/** What its folder holds: file name and text. */
export function configFiles(place: Place): Record<string, string> {
  const metadata = Object.entries(provider(place)).map(([id, value]) => `$metadata[${php(id)}] = ${php(value)};\n`);
  return {
    'config.php': file('config', main(place)),
    'authsources.php': file('config', users(place)),
    'metadata/saml20-idp-hosted.php': `<?php\n${metadata.join('')}`,
    // Until the hub has published its own.
    'metadata/hub.xml': `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:nobody">
      <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><AssertionConsumerService
        index="1" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="http://localhost/"/></SPSSODescriptor>
    </EntityDescriptor>`,
  };
}
