// The entry of the process: JavaScript, because before the first TypeScript file Node loads what strips its types, and
// that takes a fifth of a start. The bundle needs none; without one `main.ts` runs from source.
import { existsSync } from 'node:fs';

const bundle = new URL('dist/main.mjs', import.meta.url);
await import(existsSync(bundle) ? bundle.href : './main.ts');
