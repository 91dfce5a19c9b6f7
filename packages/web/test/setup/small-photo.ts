import { crc32, deflateSync } from 'node:zlib';

const SIDE = 64;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}

/** A PNG to choose in a file input: a disc on a ground of another colour. `shade`, 0 to 255, makes it unlike others. */
export function smallPhoto(name: string, shade = 90): { name: string; mimeType: string; buffer: Buffer } {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set([8, 2], 8); // 8 bits of red, green and blue
  const rows = Array.from({ length: SIDE }, (_row, y) => [
    0,
    ...Array.from({ length: SIDE }, (_column, x) =>
      Math.hypot(x - SIDE / 2, y - SIDE / 2) < SIDE / 3 ? [250, 214, 110] : [36, shade, 120 + y],
    ).flat(),
  ]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.from(rows.flat()));
  const buffer = Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
  return { name, mimeType: 'image/png', buffer };
}
