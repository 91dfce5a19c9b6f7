import type { AgentFields } from '../../rules/provider-fields.ts';
import type { TakenFiles } from '../read-files.ts';
import type { AgentProvider } from './provider.ts';

/** A provider, the model that its agents use, and the fields that can be set for them. */
export interface ProviderChoice {
  provider: AgentProvider;
  model: string;
  /** On the provider's server; null for the guide, which needs no key and has no settings. */
  fields: AgentFields | null;
  /** The files that models on a server take (null: the provider's); null for the guide, which reads none. */
  takes: ((baseUrl: string | null) => TakenFiles) | null;
}
