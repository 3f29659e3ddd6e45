/** Accepted signatures of tokens: asymmetric ones, so neither `none` nor the client secret as a key (RFC 8725, section 3.1). */
export const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
