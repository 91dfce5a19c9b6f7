// people/programs/: programs that ask people on a page whether they may act for them, and get access tokens (MCPS-8 …).
import type { Clock } from '../../core/clock.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import type { SecretKey } from '../../secrets/seal.ts';
import type { EndpointRule } from '../../outbound/endpoint-rule.ts';
import type { Served } from '../../rules/served-hosts.ts';
import { ProgramDocuments } from './program-documents.ts';
import { ProgramIds } from './program-ids.ts';
import { BadProgram, type Program, programIn } from './program-metadata.ts';

interface ProgramNeeds {
  clock: Clock;
  config: Served & {
    secretKeys: readonly SecretKey[];
    toolEndpoints: EndpointRule;
  };
  /** Fetches documents from where the operator lets tools be called. */
  guarded: Pick<GuardedFetch, 'check' | 'fetch'>;
}

/** Finds programs by their ids. */
export class Programs {
  readonly #clock: Clock;
  readonly #ids: ProgramIds;
  readonly #documents: ProgramDocuments;
  /** By which addresses the service is known. */
  readonly served: Served;
  /** Whether the ids may be addresses of documents. */
  readonly takesDocuments: boolean;

  constructor({ clock, config, guarded }: ProgramNeeds) {
    this.#clock = clock;
    this.served = config;
    this.#ids = new ProgramIds(config.secretKeys);
    this.#documents = new ProgramDocuments(guarded, clock);
    const { isPublicAllowed, origins } = config.toolEndpoints;
    this.takesDocuments = isPublicAllowed || origins.size > 0;
  }

  /** The id of a program that registers itself; throws BadProgram. */
  register(document: unknown): { id: string; program: Program; now: number } {
    const program = programIn(document);
    const now = this.#clock.now();
    const id = this.#ids.make(program, now);
    if (id === null) throw new BadProgram('invalid_client_metadata', 'the program says too much of itself');
    return { id, program, now };
  }

  /** Null for an id of no program. */
  async find(id: string): Promise<Program | null> {
    return /^https?:/i.test(id) ? this.#documents.find(id) : this.#ids.read(id, this.#clock.now());
  }
}
