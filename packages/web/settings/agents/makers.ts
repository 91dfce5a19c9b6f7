import type { Provider } from '@parley/protocol';

/** Name and key page of each provider in a default setup; operators can configure other providers. */
export const makers: Readonly<Record<Provider, { name: string; place: string; href: string }>> = {
  provider_a: {
    name: 'Anthropic',
    place: 'console.anthropic.com',
    href: 'https://console.anthropic.com/settings/keys',
  },
  provider_b: { name: 'OpenAI', place: 'platform.openai.com', href: 'https://platform.openai.com/api-keys' },
};
