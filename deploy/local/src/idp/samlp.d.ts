/** What the identity provider uses of samlp 8, which ships no types. */
declare module 'samlp' {
  import type { Request, RequestHandler } from 'express';

  /** The parts of an AuthnRequest (SAML 2.0 core, 3.4.1). */
  export interface AuthnRequest {
    id?: string;
    issuer?: string;
    assertionConsumerServiceURL?: string;
  }

  export interface Keys {
    issuer: string;
    /** PEM. */
    cert: string;
    key: string;
    signatureAlgorithm: 'rsa-sha256';
    digestAlgorithm: 'sha256';
  }

  export interface Profile {
    getClaims(): Record<string, string | string[]>;
    getNameIdentifier(): { nameIdentifier: string; nameIdentifierFormat: string };
  }

  export interface ResponseOptions extends Keys {
    audience: string | undefined;
    recipient: string;
    destination: string;
    inResponseTo: string | undefined;
    sessionIndex: string;
    lifetimeInSeconds: number;
    signResponse: boolean;
    signAssertion: boolean;
    profileMapper: (user: never) => Profile;
  }

  export interface LogoutAnswer extends Keys {
    destination: string;
    inResponseTo: string | undefined;
    protocolBinding: string;
    deflate: boolean;
    error: { code: string };
  }

  export interface MetadataOptions {
    issuer: string;
    cert: string;
    redirectEndpointPath: string;
    postEndpointPath: string;
    logoutEndpointPaths: { redirect: string; post?: string };
    profileMapper: { prototype: { metadata: { id: string; displayName: string }[] } };
  }

  const samlp: {
    parseRequest(request: Request, options: object, done: (error: unknown, data?: AuthnRequest) => void): void;
    getSamlResponse<User>(options: ResponseOptions, user: User, done: (error: unknown, response: string) => void): void;
    sendLogoutError(options: LogoutAnswer): RequestHandler;
    metadata(
      options: MetadataOptions,
    ): (
      request: { originalUrl: string; protocol: string; headers: { host: string } },
      response: { set(name: string, value: string): void; send(document: string): void },
    ) => void;
  };
  export default samlp;
}
