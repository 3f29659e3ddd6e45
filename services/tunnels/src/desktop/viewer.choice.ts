/** Lengths in a viewer's first bytes (RFC 6143, section 7.1): its version, the security type, and the most that follows to choose further. */
const [VERSION, TYPE, MORE] = [12, 13, 8] as const;
/** Other versions, such as RealVNC's 5, have other handshakes. */
const RFB_3 = /^RFB 003\.\d{3}\n$/;
/** In this version the server chooses, among types that encrypt nothing. */
const SERVER_CHOOSES = 'RFB 003.003\n';
const TIGHT = 16;
const VENCRYPT = 19;
const VENCRYPT_0_2 = 2;
/** Types that encrypt the sign-in at most: None, VncAuth, RA2ne, XVP, Apple, MSLogonII, and VeNCrypt's Plain. */
const READABLE: readonly number[] = [1, 2, 6, 22, 30, 113, 256];
/** What Tight may choose that encrypts nothing: None, VncAuth, and the sign-in of Unix. */
const READABLE_TIGHT: readonly number[] = [1, 2, 129];
const LARGEST_CODE = 255;

/** What a viewer chooses at the start of a session: whether its VNC server encrypts the session for it alone. */
export class ViewerChoice {
  private head = Buffer.alloc(0);
  private answer: boolean | undefined;

  /**
   * Takes what the viewer sends, split anywhere.
   * @returns whether the session is encrypted; undefined as long as that is not known
   */
  heard(bytes: Buffer): boolean | undefined {
    if (this.answer !== undefined) return this.answer;
    this.head = Buffer.concat([this.head, bytes.subarray(0, TYPE + MORE - this.head.length)]);
    this.answer = isEncrypted(this.head);
    return this.answer;
  }
}

function isEncrypted(head: Buffer): boolean | undefined {
  if (head.length < TYPE) return undefined;
  const version = head.toString('latin1', 0, VERSION);
  if (version === SERVER_CHOOSES) return false;
  if (!RFB_3.test(version)) return true;
  const type = head.readUInt8(VERSION);
  if (type === TIGHT) return isTightEncrypted(head.subarray(TYPE));
  return type === VENCRYPT ? isVencryptEncrypted(head.subarray(TYPE)) : !READABLE.includes(type);
}

/** After VeNCrypt come its version and a subtype, for which servers such as TigerVNC also offer the types without encryption. */
function isVencryptEncrypted(rest: Buffer): boolean | undefined {
  if (rest.length < 2) return undefined;
  if (rest.readUInt16BE(0) !== VENCRYPT_0_2) return true;
  return rest.length < 6 ? undefined : !READABLE.includes(rest.readUInt32BE(2));
}

/**
 * After Tight come a tunnel and a type, each only if the server offers some, and the ClientInit. The only tunnel that is known is none (0).
 * Its type may be VeNCrypt, as with TurboVNC.
 */
function isTightEncrypted(rest: Buffer): boolean | undefined {
  for (let at = 0; at < MORE; at += 4) {
    if (rest.length < at + 4) return undefined;
    const code = rest.readUInt32BE(at);
    if (code !== 0) return code <= LARGEST_CODE && !READABLE_TIGHT.includes(code);
  }
  return false;
}
