import type { Plugin } from 'vite';

interface ExtraFiles {
  /** The folder, without slashes at its ends. It contains a version, so that browsers may cache the files for good. */
  place: string;
  /** Contents by name. */
  files: ReadonlyMap<string, string | Uint8Array>;
}

const types = new Map([
  ['html', 'text/html'],
  ['js', 'text/javascript'],
  ['json', 'application/json'],
]);

/** Serves files beside those that are built. `constant` is replaced in the app's source by their folder's path. */
export function extraFiles(name: string, constant: string, read: () => Promise<ExtraFiles>): Plugin {
  let extra: ExtraFiles = { place: '', files: new Map() };
  return {
    name,
    async config() {
      extra = await read();
      return { define: { [constant]: JSON.stringify(`/${extra.place}`) } };
    },
    generateBundle() {
      for (const [file, source] of extra.files)
        this.emitFile({ type: 'asset', fileName: `${extra.place}/${file}`, source });
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${extra.place}`, (request, response, next) => {
        const file = (request.url ?? '').replace(/^\//, '').replace(/\?.*/, '');
        const source = extra.files.get(file);
        if (source === undefined) return next();
        response.setHeader('content-type', `${types.get(file.replace(/^.*\./, '')) ?? 'text/plain'}; charset=utf-8`);
        return response.end(source);
      });
    },
  };
}
