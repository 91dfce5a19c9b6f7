import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '@parley/client';
import type { Decision } from '@parley/protocol';
import type { Actor } from '../world/actor.ts';
import type { Fickle } from './sender.ts';
import type { Tally } from './tally.ts';

const options = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

/** How a decision has ended. */
const outcomeOf = ({ state, decided_by: by = '', option = '' }: Decision): string => `${state} ${by} ${option}`;

/** Two people who are asked one thing after another, and answer it in the same moment, each in another way. */
export class ContestedDecisions {
  /** The outcome that everybody was told, by the id of the decision. */
  readonly outcomes = new Map<string, string>();
  readonly #service: Fickle;
  readonly #tally: Tally;
  readonly #people: readonly [asker: Actor, other: Actor];
  readonly #chatId: string;
  readonly #paceMs: number;

  constructor(service: Fickle, tally: Tally, people: readonly [Actor, Actor], chatId: string, paceMs = 0) {
    this.#service = service;
    this.#tally = tally;
    this.#people = people;
    this.#chatId = chatId;
    this.#paceMs = paceMs;
  }

  async run(): Promise<void> {
    for (let number = 1; !this.#tally.isStopping; number += 1) {
      await this.#contest(number);
      if (this.#paceMs > 0) await pause(this.#paceMs);
    }
  }

  async #contest(number: number): Promise<void> {
    const [asker, other] = this.#people;
    const given = { chat_id: this.#chatId, text: `Question ${number}?`, options, client_msg_id: `question ${number}` };
    const { id: decision_id } = await this.#service.insist(() => asker.api.askDecision(given));
    const told = await Promise.all([
      this.#told(() =>
        number % 3 === 0
          ? asker.api.withdrawDecision({ decision_id })
          : asker.api.decide({ decision_id, option: 'yes' }),
      ),
      this.#told(() => other.api.decide({ decision_id, option: 'no' })),
    ]);
    const [outcome = '', another] = new Set(told);
    if (another !== undefined) this.#service.report(`${decision_id} has two outcomes: ${told.join(', ')}`);
    this.outcomes.set(decision_id, outcome);
    this.#tally.acknowledge();
  }

  /** The outcome, of which the one who comes too late is told too. */
  async #told(act: () => Promise<{ decision?: Decision | undefined }>): Promise<string> {
    const { decision } = await this.#service.insist(async () => {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        return { decision: error.parameters['decision'] as Decision | undefined }; // as DECIDE-5 declares it
      }
    });
    return decision ? outcomeOf(decision) : 'unknown';
  }

  /** What differs between what people were told and what is stored now, with what each of them still has to decide. */
  async wrong(): Promise<string[]> {
    const wrong: string[] = [];
    for (const { username, api } of this.#people) {
      const stored = new Map<string, string>();
      let cursor: string | undefined;
      do {
        const page = await this.#service.insist(() => api.getDecisions({ chat_id: this.#chatId, cursor }));
        for (const { id, decision } of page.items) if (decision) stored.set(id, outcomeOf(decision));
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      for (const [id, outcome] of this.outcomes)
        if (stored.get(id) !== outcome) wrong.push(`${username} reads of ${id}: ${stored.get(id)}, not ${outcome}`);
      if (stored.size !== this.outcomes.size)
        wrong.push(`${username} has ${stored.size} decisions, not ${this.outcomes.size}`);
      const { needs_you: needs } = await this.#service.insist(() => api.getChat({ chat_id: this.#chatId }));
      const inbox = await this.#service.insist(() => api.getInbox({}));
      const items = inbox.items.filter(({ reason }) => reason === 'decision').length;
      if (needs !== 0 || items > 0) wrong.push(`${username} still needs to decide ${needs}, ${items} in the inbox`);
    }
    return wrong;
  }
}
