import { describe, expect, it } from '@jest/globals';
import { Eax } from './eax.ts';

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const hex = (of: Uint8Array | null) => of && Buffer.from(of).toString('hex').toUpperCase();

/** Test vectors of the paper, appendix G: text, key, nonce, header, encrypted. */
const VECTORS: [string, string, string, string, string][] = [
  [
    ...(['', '233952DEE4D5ED5F9B9C6D6FF80FF478', '62EC67F9C3A4A407FCB2A8C49031A8B3'] as const),
    ...(['6BFB914FD07EAE6B', 'E037830E8389F27B025A2D6527E79D01'] as const),
  ],
  [
    ...(['F7FB', '91945D3F4DCBEE0BF45EF52255F095A4', 'BECAF043B0A23D843194BA972C66DEBD'] as const),
    ...(['FA3BFD4806EB53FA', '19DD5C4C9331049D0BDAB0277408F67967E5'] as const),
  ],
  [
    ...(['1A47CB4933', '01F74AD64077F2E704C0F60ADA3DD523', '70C3DB4F0D26368400A10ED05D2BFF5E'] as const),
    ...(['234A3463C1264AC6', 'D851D5BAE03A59F238A23E39199DC9266626C40F80'] as const),
  ],
  [
    ...(['40D0C07DA5E4', '35B6D0580005BBC12B0587124557D2C2', 'FDB6B06676EEDC5C61D74276E1F8E816'] as const),
    ...(['AEB96EAEBE2970E9', '071DFE16C675CB0677E536F73AFE6A14B74EE49844DD'] as const),
  ],
  [
    'CA40D7446E545FFAED3BD12A740A659FFBBB3CEAB7',
    ...(['8395FCF1E95BEBD697BD010BC766AAC3', '22E7ADD93CFC6393C57EC0B3C17D6B44'] as const),
    ...(['126735FCC320D25A', 'CB8920F87A6C75CFF39627B56E3ED197C552D295A7CFC46AFC253B4652B1AF3795B124AB6E'] as const),
  ],
];

describe('AES-EAX', () => {
  it.each(VECTORS)('encrypts and decrypts "%s" as its authors do', (text, key, nonce, header, sealed) => {
    const eax = new Eax(bytes(key));
    expect(hex(eax.seal(bytes(nonce), bytes(header), bytes(text)))).toBe(sealed);
    expect(hex(eax.open(bytes(nonce), bytes(header), bytes(sealed)))).toBe(text);
  });

  it('opens nothing of which a bit was changed, in the text, the tag, the header or the nonce', () => {
    const [, key, nonce, header, sealed] = VECTORS[4]!;
    const eax = new Eax(bytes(key));
    const changed = (of: string, at: number) => bytes(of).map((byte, index) => (index === at ? byte ^ 1 : byte));
    expect(eax.open(bytes(nonce), bytes(header), changed(sealed, 0))).toBeNull();
    expect(eax.open(bytes(nonce), bytes(header), changed(sealed, 36))).toBeNull();
    expect(eax.open(bytes(nonce), changed(header, 0), bytes(sealed))).toBeNull();
    expect(eax.open(changed(nonce, 15), bytes(header), bytes(sealed))).toBeNull();
    expect(eax.open(bytes(nonce), bytes(header), bytes(sealed).subarray(0, 15))).toBeNull();
  });
});
