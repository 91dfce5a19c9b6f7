// Draws the PNG icons of the installed app from packages/web/public/icon.svg. Run it after a change of the picture:
// node scripts/make-icons.ts
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const folder = join(import.meta.dirname, '../packages/web/public');
const svg = readFileSync(join(folder, 'icon.svg'), 'utf8');
/** Without rounded corners: the system cuts the shape, and would show what is behind them. */
const square = svg.replace(/ rx="16"/, '');
/** Maskable icons keep their picture within the inner 80 %. */
const SAFE = 0.8;

const draw = (source: string, size: number) =>
  sharp(Buffer.from(source), { density: (72 * size) / 64 })
    .resize(size, size)
    .png({ compressionLevel: 9 });

for (const size of [192, 512]) await draw(svg, size).toFile(join(folder, `icon-${size}.png`));
await draw(square, 180).toFile(join(folder, 'apple-touch-icon.png'));

const margin = (64 * (1 / SAFE - 1)) / 2;
const side = 64 + 2 * margin;
const maskable = square
  .replace('viewBox="0 0 64 64"', `viewBox="${-margin} ${-margin} ${side} ${side}"`)
  .replace('<rect width="64" height="64"', `<rect x="${-margin}" y="${-margin}" width="${side}" height="${side}"`);
await draw(maskable, 512).toFile(join(folder, 'icon-maskable-512.png'));
