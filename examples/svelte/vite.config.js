import { svelte } from '@sveltejs/vite-plugin-svelte';

export default { root: import.meta.dirname, base: './', envPrefix: 'PARLEY_', plugins: [svelte()] };
