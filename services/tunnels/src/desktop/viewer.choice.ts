/** Lengths in a viewer's first bytes (RFC 6143, section 7.1): its version, the security type, and of VeNCrypt a version and a subtype. */
const [VERSION, TYPE, VENCRYPT] = [12, 13, 19] as const;
/** In this version the server chooses, among types that encrypt nothing. */
const SERVER_CHOOSES = 'RFB 003.003\n';
const TYPE_VENCRYPT = 19;
/** Types that encrypt the sign-in at most: None, VncAuth, RA2ne, Tight, XVP, Apple, MSLogonII; of VeNCrypt Plain. */
const READABLE: readonly number[] = [1, 2, 6, 16, 22, 30, 113];
const VENCRYPT_PLAIN = 256;

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
    this.head = Buffer.concat([this.head, bytes.subarray(0, VENCRYPT - this.head.length)]);
    this.answer = isEncrypted(this.head);
    return this.answer;
  }
}

function isEncrypted(head: Buffer): boolean | undefined {
  if (head.length < TYPE) return undefined;
  if (head.toString('latin1', 0, VERSION) === SERVER_CHOOSES) return false;
  const type = head.readUInt8(VERSION);
  if (type !== TYPE_VENCRYPT) return !READABLE.includes(type);
  return head.length < VENCRYPT ? undefined : head.readUInt32BE(VENCRYPT - 4) !== VENCRYPT_PLAIN;
}
