import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { squarePicture } from './picture.ts';
import { profileBody } from './profile.schemas.ts';

const image = (width = 300, height = 100) =>
  sharp({ create: { width, height, channels: 3, background: '#1f6f54' } }).withExif({ IFD0: { Artist: 'Somebody' } });

describe('a picture', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('of %s becomes a square of WebP without metadata', async (format) => {
    const made = await squarePicture(await image().toFormat(format).toBuffer());
    expect(await sharp(made).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
    expect((await sharp(made).metadata()).exif).toBeUndefined();
  });

  it.each([
    ['nothing', Buffer.from('nothing')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ['a part of PNG', Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB', 'base64')],
  ])('is not %s', async (_what, content) => {
    await expect(squarePicture(content)).rejects.toMatchObject({
      code: 'invalid_argument',
      problems: [{ field: 'picture' }],
    });
  });

  it('is not GIF, and does not unfold to more than memory holds', async () => {
    const gif = await image(2, 2).gif().toBuffer();
    await expect(squarePicture(gif)).rejects.toMatchObject({ code: 'invalid_argument' });
    const large = await image(8_000, 6_000).png({ compressionLevel: 9 }).toBuffer();
    expect(large.length).toBeLessThan(1_048_576);
    await expect(squarePicture(large)).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('a change of the profile', () => {
  const problem = (body: unknown) => profileBody.safeParse(body).error?.issues[0]?.message;
  const url = (content: Buffer, type = 'png') => `data:image/${type};base64,${content.toString('base64')}`;

  it('takes a data URL, or nothing', () => {
    expect(profileBody.parse({ picture: url(Buffer.from('x')) }).picture).toEqual(Buffer.from('x'));
    expect(profileBody.parse({ picture: '' }).picture).toHaveLength(0);
    expect(profileBody.parse({ name: ' Ann ' })).toEqual({ name: 'Ann' });
  });

  it('says what is wrong', () => {
    expect(problem({ picture: url(Buffer.from('x'), 'gif') })).toBe('The picture must be a PNG, JPEG or WebP file.');
    expect(problem({ picture: url(Buffer.alloc(1_048_577)) })).toBe('The picture is larger than 1 MiB.');
    expect(problem({ picture: url(Buffer.alloc(1_048_576)) })).toBeUndefined();
    expect(problem({ name: ' ' })).toBe('The name is required');
  });
});
