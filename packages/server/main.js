// The entry of the process: JavaScript, because before the first TypeScript file Node loads what strips its types, and
// that takes a fifth of a start. The bundle needs none; without a complete one `main.ts` runs from source.
import { existsSync } from 'node:fs';

// The list of its contents is written last.
const isBundled = existsSync(new URL('dist/contents.json', import.meta.url));
await import(isBundled ? './dist/main.mjs' : './main.ts');
