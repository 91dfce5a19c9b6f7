import type { Plugin } from 'vite';

/** Serves the parts of the app at /design while it is developed. */
export const designPage = (): Plugin => ({
  name: 'design-page',
  apply: 'serve',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      request.url = request.url?.replace(/^\/design(?=$|\?)/, '/design.html');
      next();
    });
  },
});
