import type { ProviderRequest } from './provider.ts';

/** Maximum number of models about which something is remembered; the oldest is forgotten first. */
const MODELS_KEPT = 1_000;

type Model = Pick<ProviderRequest, 'baseUrl' | 'model'>;

/** What is known about models, by server and name, until the service restarts. */
export class ByModel<Known> {
  readonly #known = new Map<string, Known>();

  get(request: Model): Known | undefined {
    return this.#known.get(placeOf(request));
  }

  set(request: Model, known: Known): void {
    const place = placeOf(request);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= MODELS_KEPT && !this.#known.has(place)) this.#known.delete(oldest);
    this.#known.set(place, known);
  }
}

const placeOf = ({ baseUrl = '', model }: Model): string => `${baseUrl} ${model}`;
