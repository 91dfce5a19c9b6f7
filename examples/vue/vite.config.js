import vue from '@vitejs/plugin-vue';

export default { root: import.meta.dirname, base: './', envPrefix: 'PARLEY_', plugins: [vue()] };
