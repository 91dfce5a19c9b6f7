import { crc32, deflateSync } from 'node:zlib';

export interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue and opacity of each pixel. */
  data: Uint8ClampedArray;
}

const CHANNELS = 4;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Means of the pixels, so that no side is longer than `px`. */
export function shrunk({ width, height, data }: Pixels, px: number): Pixels {
  const step = Math.ceil(Math.max(width, height) / px);
  if (step <= 1) return { width, height, data };
  const small = { width: Math.ceil(width / step), height: Math.ceil(height / step) };
  const means = new Uint8ClampedArray(small.width * small.height * CHANNELS);
  for (let y = 0; y < small.height; y += 1)
    for (let x = 0; x < small.width; x += 1) {
      const right = Math.min(width, (x + 1) * step);
      const bottom = Math.min(height, (y + 1) * step);
      const count = (right - x * step) * (bottom - y * step);
      for (let channel = 0; channel < CHANNELS; channel += 1) {
        let sum = 0;
        for (let row = y * step; row < bottom; row += 1)
          for (let column = x * step; column < right; column += 1)
            sum += data[(row * width + column) * CHANNELS + channel] ?? 0;
        means[(y * small.width + x) * CHANNELS + channel] = sum / count;
      }
    }
  return { ...small, data: means };
}

/** The pixels as a PNG, made without leaving the thread. */
export function png({ width, height, data }: Pixels): Buffer {
  const line = width * CHANNELS;
  const rows = Buffer.alloc((line + 1) * height);
  for (let y = 0; y < height; y += 1) rows.set(data.subarray(y * line, (y + 1) * line), y * (line + 1) + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits a channel, colours with opacity.
  head.set([8, 6], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), body]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(body.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
