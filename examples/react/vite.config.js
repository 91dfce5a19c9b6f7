export default { root: import.meta.dirname, base: './', envPrefix: 'PARLEY_' };
