import type { Keys } from './keys.ts';
import type { Person } from '../people.ts';
import type { HubClient } from './openid.ts';

export interface LemonldapPlace {
  /** Absolute path inside of the chroot. */
  folder: string;
  url: string;
  keys: Keys;
  people: readonly Pick<Person, 'email' | 'name'>[];
  /** Metadata of the hub; empty while the hub is unknown. */
  hubMetadata: string;
  /** The hub as a client of OpenID Connect; undefined while unknown. */
  openId?: HubClient;
  /** Condition in Perl about a session for a sign-in at the hub. */
  accessRule: string;
}

const storage = (folder: string) => ({ Directory: folder, LockDirectory: `${folder}/lock` });

/** The service provider of the hub with the values that docs/operations/saml.md sets in the Manager. */
function serviceProvider({ hubMetadata, accessRule }: LemonldapPlace): object {
  if (!hubMetadata) return {};
  const options = {
    samlSPMetaDataOptionsNameIDFormat: 'email',
    samlSPMetaDataOptionsSignSLOMessage: 1,
    samlSPMetaDataOptionsEncryptionMode: 'assertion',
    samlSPMetaDataOptionsRule: accessRule,
    // Defaults of the Manager.
    samlSPMetaDataOptionsSignSSOMessage: -1,
    samlSPMetaDataOptionsCheckSSOMessageSignature: 1,
    samlSPMetaDataOptionsCheckSLOMessageSignature: 1,
  };
  return {
    samlSPMetaDataXML: { warren: { samlSPMetaDataXML: hubMetadata } },
    samlSPMetaDataExportedAttributes: { warren: { mail: '1;email', cn: '0;displayName' } },
    samlSPMetaDataOptions: { warren: options },
  };
}

/** The relying party of the hub with the values that docs/operations/openid-connect.md sets in the Manager; PKCE is required besides. */
function relyingParty({ openId, keys, accessRule }: LemonldapPlace): object {
  if (!openId) return {};
  const options = {
    oidcRPMetaDataOptionsClientID: openId.id,
    oidcRPMetaDataOptionsClientSecret: openId.secret,
    oidcRPMetaDataOptionsRedirectUris: openId.redirectUri,
    oidcRPMetaDataOptionsPostLogoutRedirectUris: openId.signedOutUri,
    oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
    oidcRPMetaDataOptionsBypassConsent: 1,
    oidcRPMetaDataOptionsLogoutBypassConfirm: 1,
    oidcRPMetaDataOptionsRequirePKCE: 1,
    oidcRPMetaDataOptionsRule: accessRule,
  };
  return {
    issuerDBOpenIDConnectActivation: 1,
    oidcServicePrivateKeySig: keys.key,
    oidcServicePublicKeySig: keys.cert,
    oidcServiceKeyIdSig: 'tests',
    oidcRPMetaDataExportedVars: { warren: { email: 'mail', name: 'cn' } },
    oidcRPMetaDataOptions: { warren: options },
  };
}

function configuration(place: LemonldapPlace): object {
  const { folder, url, keys } = place;
  return {
    cfgNum: 1,
    cfgDate: 1,
    cfgAuthor: 'Warren',
    cfgVersion: '2.16.1',
    portal: `${url}/`,
    domain: 'localhost',
    // With SAML, cookies are SameSite=None by default, which browsers accept over HTTPS only.
    securedCookie: 0,
    sameSite: 'Lax',
    authentication: 'Demo',
    userDB: 'Same',
    passwordDB: 'Null',
    registerDB: 'Null',
    demoExportedVars: { cn: 'cn', mail: 'mail', uid: 'uid' },
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: storage(`${folder}/sessions`),
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: storage(`${folder}/persistent`),
    locationRules: { localhost: { default: 'accept' } },
    issuerDBSAMLActivation: 1,
    samlServicePrivateKeySig: keys.key,
    samlServicePublicKeySig: keys.cert,
    ...serviceProvider(place),
    ...relyingParty(place),
  };
}

const settings = ({ folder }: LemonldapPlace) => `[all]
logger = Lemonldap::NG::Common::Logger::Std
logLevel = debug

[configuration]
type = File
dirName = ${folder}/conf

[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
`;

/** A Perl string. */
const perl = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** The demonstration accounts are hard-coded, so the application replaces them. Each user name is the password too. */
function application({ people }: LemonldapPlace): string {
  const accounts = people.map(({ email, name }) => {
    const uid = perl(email);
    return `  ${uid} => { uid => ${uid}, mail => ${uid}, cn => ${perl(name)} },\n`;
  });
  return `use strict;
use utf8;
use Plack::Builder;
use Lemonldap::NG::Portal::Main;
use Lemonldap::NG::Portal::UserDB::Demo;

%Lemonldap::NG::Portal::UserDB::Demo::demoAccounts = (
${accounts.join('')});
my $portal = Lemonldap::NG::Portal::Main->run({});
builder {
  enable 'Static', path => qr{^/static/}, root => '/usr/share/lemonldap-ng/portal/htdocs';
  enable 'Static', path => qr{^/javascript/}, root => '/usr/share';
  $portal;
};
`;
}

/** The files of its folder: name and text. */
export function configFiles(place: LemonldapPlace): Record<string, string> {
  return {
    'lemonldap-ng.ini': settings(place),
    'conf/lmConf-1.json': JSON.stringify(configuration(place), undefined, 2),
    'app.psgi': application(place),
  };
}
