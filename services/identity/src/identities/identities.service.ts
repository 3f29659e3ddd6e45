import { Injectable } from '@nestjs/common';
import type { SamlIdentity } from '@warren/proto/identity/v1/identity';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { upsertIdentity } from './identities.sql.ts';

/** A name that changes with each sign-in (SAML core, 8.3.8). */
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Identities of users at their providers. */
@Injectable()
export class IdentitiesService {
  constructor(private readonly source: DataSource) {}

  /** Records a sign-in. @returns the identity's id, the same at each sign-in */
  signedIn(saml: SamlIdentity): Promise<string> {
    const nameId = saml.nameIdFormat === TRANSIENT ? saml.email : saml.nameId;
    const { provider, email, name } = saml;
    return upsertIdentity(this.source.manager, { id: uuidv7(), provider, nameId, email, name });
  }
}
