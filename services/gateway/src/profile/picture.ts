import { Fault } from '@warren/platform/errors/fault';
import type Sharp from 'sharp';

/** Pixels along each side of what is stored. */
const SIDE = 256;
/** A small file can unfold into a very large image. */
const MAX_PIXELS = 40_000_000;
const SECONDS = 5;
const FORMATS: ReadonlySet<string> = new Set(['png', 'jpeg', 'webp']);

let loaded: Promise<typeof Sharp> | undefined;

/** Loads the library with the first picture: most processes never see one. */
function load(): Promise<typeof Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Pictures are rare and all different; a cache of decoded ones would only hold memory.
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loaded;
}

/**
 * Re-encodes an uploaded picture as a square of 256 pixels, WebP, without metadata.
 * @throws Fault `invalid_argument` for anything but a readable PNG, JPEG or WebP, regardless of its declared type
 */
export async function squarePicture(content: Buffer): Promise<Buffer> {
  const sharp = await load();
  try {
    const image = sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
    const { format } = await image.metadata();
    if (!FORMATS.has(format)) throw new Error(`The picture is ${format}.`);
    return await image
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'cover' })
      .webp({ quality: 85 })
      .timeout({ seconds: SECONDS })
      .toBuffer();
  } catch (cause) {
    const message = 'The picture must be a PNG, JPEG or WebP file.';
    throw new Fault('invalid_argument', `${message}`, {
      cause,
      problems: [{ field: 'picture', message }],
    });
  }
}
