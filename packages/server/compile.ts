import { keepCompiledCode, writeCompiledCode } from './core/compiled-code.ts';

// `npm ci` runs this, so that the first start finds compiled code too (OPS-4).
keepCompiledCode();
await Promise.all([import('./run-service.ts'), import('./admin/channel.ts')]);
writeCompiledCode();
