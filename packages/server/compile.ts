import { bundled } from './core/bundled-code.ts';
import { keepCompiledCode, writeCompiledCode } from './core/compiled-code.ts';

// `npm ci` runs this, so that the first start finds compiled code too (OPS-4).
keepCompiledCode();
await import(bundled('start') ?? './start.ts');
writeCompiledCode();
