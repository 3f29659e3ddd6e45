import { Injectable } from '@nestjs/common';
import type { SamlIdentity } from '@warren/proto/identity/v1/identity';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Origin } from '../audit/audit.event.ts';
import { AuditService } from '../audit/audit.service.ts';
import { upsertIdentity } from './identities.sql.ts';

/** A name that changes with each sign-in (SAML core, 8.3.8). */
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Identities of users at their providers. */
@Injectable()
export class IdentitiesService {
  constructor(
    private readonly source: DataSource,
    private readonly audit: AuditService,
  ) {}

  /** Records a sign-in, with an audit event. @returns the identity's id, the same at each sign-in */
  async signedIn(saml: SamlIdentity, from: Origin): Promise<string> {
    const nameId = saml.nameIdFormat === TRANSIENT ? saml.email : saml.nameId;
    return this.source.transaction(async (manager) => {
      const { provider, email, name } = saml;
      const id = await upsertIdentity(manager, { id: uuidv7(), provider, nameId, email, name });
      await this.audit.record({ action: 'sign_in', actor: email, detail: provider, ...from }, manager);
      return id;
    });
  }
}
