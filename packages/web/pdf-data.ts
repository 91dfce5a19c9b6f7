import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { extraFiles } from './extra-files.ts';

const library = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');

/**
 * What pdf.js loads only for some PDFs: decoders of scanned pictures, the encodings of East Asian texts, and fonts of
 * symbols, which systems may not have. The decoders are scripts: WebAssembly would need a weaker policy (WEB-2).
 */
const wanted = /(?:nowasm_fallback\.js|\.bcmap|Foxit(?:Symbol|Dingbats)\.pfb)$/;

export const pdfData = (): Plugin =>
  extraFiles('pdf-data', 'PDF_PLACE', async () => {
    const { version } = JSON.parse(readFileSync(library, 'utf8')) as { version: string };
    const names = ['cmaps', 'standard_fonts', 'wasm'].flatMap((folder) =>
      readdirSync(join(dirname(library), folder)).map((name) => `${folder}/${name}`),
    );
    const files = names
      .filter((name) => wanted.test(name))
      .map((name) => [name, readFileSync(join(dirname(library), name))] as const);
    return { place: `assets/pdf-${version}`, files: new Map(files) };
  });
