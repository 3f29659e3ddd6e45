/** A person as a verified answer of a provider names them. */
export interface VerifiedPerson {
  provider: string;
  /** NameID, or the claim `sub`. */
  nameId: string;
  nameIdFormat: string;
  /** SessionIndex, or the claim `sid`. */
  sessionIndex: string;
  email: string;
  name: string;
  /** NameQualifier, or the issuer. */
  nameQualifier: string;
  spNameQualifier: string;
}
