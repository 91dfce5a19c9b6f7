import type { Plugin } from 'vite';

/**
 * Silences a warning of Vite about `composes: name from './file.module.css'`: the rules that this brings have no file, by
 * which Vite would resolve a `url()` in them. None of ours has one, and Vite cannot be told.
 */
export const composedStyles = (): Plugin => ({
  name: 'composed-styles',
  configResolved({ logger }) {
    const warnOnce = logger.warnOnce.bind(logger);
    logger.warnOnce = (message, options) => {
      if (!message.includes('did not pass the `from` option to `postcss.parse`')) warnOnce(message, options);
    };
  },
});
