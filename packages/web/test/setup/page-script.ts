import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** The script of a test's page, from the file at `url`, with React's development build. Styles are left out. */
export async function pageScript(url: URL): Promise<string> {
  const build = await rolldown({
    input: fileURLToPath(url),
    platform: 'browser',
    // It runs effects twice in StrictMode.
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
    plugins: [{ name: 'css', load: (id) => (id.endsWith('.css') ? { code: '', moduleType: 'js' } : undefined) }],
    // A directive for servers that render components: bundles for browsers need none.
    onLog(level, log, handle) {
      if (log.code !== 'MODULE_LEVEL_DIRECTIVE' || !log.message.includes('"use client"')) handle(level, log);
    },
  });
  const { output } = await build.generate({ format: 'iife' });
  await build.close();
  return output[0].code;
}
