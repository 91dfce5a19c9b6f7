import type { Provider } from '@parley/protocol';
import type { Logger } from 'pino';
import type { Clock } from '../../core/clock.ts';
import type { Fetch } from '../../outbound/guarded-fetch.ts';
import { providerFields } from '../../rules/provider-fields.ts';
import { guideProvider } from '../guide/guide.ts';
import type { Awaitable } from '../../store/sql.ts';
import type { TakenFiles } from '../read-files.ts';
import type { ProviderChoice } from './provider-choice.ts';
import { anthropicProvider } from './anthropic.ts';
import { withContinuedPauses } from './continued-pauses.ts';
import { type Downgrade, openaiBaseUrl, openaiProvider } from './openai.ts';
import type { AgentProvider } from './provider.ts';
import { defaultRetries, withRetries } from './retries.ts';
import { defaultTimeLimits, withTimeLimits } from './time-limits.ts';
import type { VendorOptions } from './vendor-server.ts';
import { whenSure } from './when-sure.ts';
import { withoutRefusedFiles } from './without-refused-files.ts';
import { withoutRefusedTemperature } from './without-refused-temperature.ts';
import { withoutRefusedThinking } from './without-refused-thinking.ts';
import { withoutRefusedSearch, withoutRefusedTools } from './without-refused-offers.ts';

interface ProviderAddress {
  readonly baseUrl: string;
  readonly model: string;
}

export interface ProviderNeeds {
  config: { readonly providers: Readonly<Record<Provider, ProviderAddress>> };
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  random: () => number;
  /** Reaches the servers that people name for their agents. */
  guarded: Fetch;
  /** Reads large events of replies where it holds nobody. */
  readLarge: NonNullable<VendorOptions['readLarge']>;
  /** True while this node may call providers (CLUSTER-39). */
  isSure: () => Awaitable<boolean>;
}

/** The providers by name, each with time limits and retries. */
export function providersOf({
  config,
  clock,
  logger,
  random,
  guarded,
  isSure,
  readLarge,
}: ProviderNeeds): ReadonlyMap<string, ProviderChoice> {
  const limited = (provider: AgentProvider) => withTimeLimits(provider, defaultTimeLimits, clock);
  const careful = (provider: AgentProvider) =>
    withRetries(whenSure(limited(provider), isSure, clock), defaultRetries, clock, random);
  const onDowngrade =
    (provider: Provider) =>
    (downgrade: Downgrade): void =>
      logger.warn(downgrade, `the server of ${provider} refuses parts of requests for a model: they are left out`);
  const choice = (name: Provider, provider: AgentProvider, { model, baseUrl }: ProviderAddress): ProviderChoice => ({
    provider: withContinuedPauses(
      careful(
        withoutRefusedThinking(
          withoutRefusedFiles(
            withoutRefusedTools(
              withoutRefusedSearch(withoutRefusedTemperature(provider, onDowngrade(name)), onDowngrade(name)),
              onDowngrade(name),
            ),
            onDowngrade(name),
          ),
          thinkingForms[name],
          onDowngrade(name),
        ),
      ),
    ),
    model,
    fields: providerFields(name, { model, baseUrl }),
    takes: (ownBaseUrl) => filesTakenBy(name, ownBaseUrl ?? baseUrl),
  });
  const { provider_a: a, provider_b: b } = config.providers;
  return new Map([
    ['provider_a', choice('provider_a', anthropicProvider({ clock, baseUrl: a.baseUrl, guarded }), a)],
    [
      'provider_b',
      choice(
        'provider_b',
        openaiProvider({ clock, baseUrl: b.baseUrl, guarded, readLarge, onDowngrade: onDowngrade('provider_b') }),
        b,
      ),
    ],
    ['parley', { provider: guideProvider(clock), model: 'guide', fields: null, takes: null }],
  ]);
}

/** The forms in which thinking can be asked for: Anthropic's models before 4.6 know only the older one. */
const thinkingForms: Record<Provider, 1 | 2> = { provider_a: 2, provider_b: 1 };

/** Anthropic scales larger images down itself; OpenAI's API and the servers that imitate it take up to 2,048 pixels. */
const longestSide: Record<Provider, number> = { provider_a: 1_568, provider_b: 2_048 };

/** The files that models behind an address take. Of the servers of OpenAI's API only OpenAI's own takes PDF. */
const filesTakenBy = (provider: Provider, baseUrl: string): TakenFiles => ({
  px: longestSide[provider],
  pdf: provider === 'provider_a' || new URL(baseUrl).origin === new URL(openaiBaseUrl).origin,
});
