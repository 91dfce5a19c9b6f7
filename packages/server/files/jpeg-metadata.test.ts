import sharp from 'sharp';
import { expect, test } from 'vitest';
import { withoutMetadata } from './jpeg-metadata.ts';

const noise = Buffer.from(Array.from({ length: 60 * 40 * 3 }, (_, at) => (at * 7919) % 251));
const image = () => sharp(noise, { raw: { width: 60, height: 40, channels: 3 } });
const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
const segment = (marker: number, text: string) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(text.length + 2, 2);
  return Buffer.concat([head, Buffer.from(text, 'latin1')]);
};
/** The same image with more segments after its first two bytes. */
const withSegments = (bytes: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([bytes.subarray(0, 2), ...segments, bytes.subarray(2)]);

test('FILE-16: data about place, device and time is removed; pixels, colours and orientation stay', async () => {
  for (const progressive of [false, true]) {
    const tagged = await image()
      .withMetadata({ orientation: 6 })
      .withIccProfile('p3')
      .withExifMerge({ IFD0: { Model: 'secret camera' }, IFD3: { GPSLatitude: '51/1 30/1 3230/100' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">secret xmp</x:xmpmeta>')
      .jpeg({ progressive })
      .toBuffer();
    const more = [segment(0xed, 'Photoshop 3.0\0secret'), segment(0xfe, 'secret'), segment(0xe2, 'MPF\0secret')];
    const whole = Buffer.concat([withSegments(tagged, ...more, segment(0xe7, 'secret')), tagged]);
    expect(whole.includes('secret')).toBe(true);
    const clean = withoutMetadata(whole, 6) ?? expect.fail('it is whole');
    expect(clean.includes('secret')).toBe(false);
    const { orientation, icc, exif, xmp, iptc } = await sharp(clean).metadata();
    expect([orientation, icc?.length]).toEqual([6, (await sharp(tagged).metadata()).icc?.length]);
    // Only the orientation.
    expect([exif?.length, xmp, iptc]).toEqual([32, undefined, undefined]);
    expect(await pixels(clean)).toEqual(await pixels(tagged));
    expect(withoutMetadata(clean, 6)).toEqual(clean);
  }
});

test('FILE-16: an image without metadata stays the same byte for byte', async () => {
  for (const options of [{}, { progressive: true }, { chromaSubsampling: '4:4:4' }, { optimiseCoding: false }]) {
    const bytes = await image().jpeg(options).toBuffer();
    expect(withoutMetadata(bytes, 1)?.equals(bytes)).toBe(true);
  }
  const cmyk = await image().toColourspace('cmyk').jpeg().toBuffer();
  expect(await pixels(withoutMetadata(cmyk, 1) ?? cmyk)).toEqual(await pixels(cmyk));
});

test('FILE-16: an incomplete image is rejected', async () => {
  const bytes = await image().jpeg().toBuffer();
  for (let end = 0; end < bytes.length; end += 1) expect(withoutMetadata(bytes.subarray(0, end), 1)).toBeUndefined();
  expect(withoutMetadata(Buffer.from('no image at all'), 1)).toBeUndefined();
  expect(withoutMetadata(Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0]), 1)).toBeUndefined();
});
