import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '@parley/client';
import type { Message } from '@parley/protocol';
import type { Random } from '../simulation/random.ts';
import type { Fickle } from '../crash/sender.ts';
import type { Actor } from '../world/actor.ts';
import { taskText } from './tasks.ts';

const LOOK_MS = 60;
const MAX_WAIT_MS = 800;
const STOP_CHANCE = 0.03;
/** A reply that is stopped before it has a text or a part is deleted: after so many looks none comes any more. */
const LOOKS_AFTER_STOP = 50;

/** A task that was given to an agent, and what became of its reply. */
export interface Task {
  number: number;
  triggerId: string;
  reply: Message | undefined;
  wasStopped: boolean;
}

interface LaneNeeds {
  service: Fickle;
  random: Random;
  /** Who gives the tasks, and decides. */
  asker: Actor;
  /** Another person of the group, who must not decide. */
  other: Actor;
  agent: string;
  chatId: string;
  nextTask: () => number;
  isStopping: () => boolean;
  /** Called when a person stops a reply: that interrupts its calls too. */
  onStop: () => void;
}

/** One conversation in which an agent gets one task after another, and its asker decides at random. */
export class Lane {
  readonly tasks: Task[] = [];
  /** The option that won, by the id of the decision. */
  readonly answers = new Map<string, string>();
  readonly #needs: LaneNeeds;

  constructor(needs: LaneNeeds) {
    this.#needs = needs;
  }

  async run(): Promise<void> {
    while (!this.#needs.isStopping()) await this.#play(this.#needs.nextTask());
  }

  async #play(number: number): Promise<void> {
    const { service, asker, agent, chatId: chat_id, random } = this.#needs;
    const text = `@${agent} ${taskText(number)}`;
    const given = { chat_id, text, client_msg_id: `task ${number}` };
    const { id: triggerId } = await service.insist(() => asker.api.sendMessage(given));
    const task: Task = { number, triggerId, reply: undefined, wasStopped: false };
    this.tasks.push(task);
    const isStopped = random.chance(STOP_CHANCE);
    const stopAt = random.below(10);
    for (let look = 0; ; look += 1) {
      const { items } = await service.insist(() => asker.api.getChatHistory({ chat_id, limit: 50 }));
      const ours = items.filter(({ sender, reply_to_id }) => sender.username === agent && reply_to_id === triggerId);
      const replies = ours.filter(({ decision }) => !decision);
      if (replies.length > 1) service.report(`${replies.length} replies to task ${number}`);
      [task.reply] = replies;
      if (task.reply && task.reply.status !== 'streaming' && task.reply.finish_reason !== 'waiting') return;
      if (task.wasStopped && !task.reply && look > stopAt + LOOKS_AFTER_STOP) return;
      for (const { decision } of ours) if (decision?.state === 'open') await this.#decide(decision.id);
      if (isStopped && look === stopAt) {
        task.wasStopped = true;
        this.#needs.onStop();
        await service.insist(() => asker.api.stopRun({ chat_id }));
        this.#needs.onStop();
      }
      await pause(LOOK_MS);
    }
  }

  /** Decides after a while, sometimes with two answers at once, of which one must win. */
  async #decide(decision_id: string): Promise<void> {
    const { service, random, asker, other } = this.#needs;
    if (random.chance(0.4)) await pause(random.below(MAX_WAIT_MS));
    if (random.chance(0.1)) await this.#try(other, decision_id, 'once', (error) => error.status === 403);
    const options = random.chance(0.3) ? ['once', 'decline'] : [random.chance(0.85) ? 'once' : 'decline'];
    // A reply that was stopped, or the other answer, has ended it: 409.
    const tried = options.map((option) => this.#try(asker, decision_id, option, (error) => error.status === 409));
    const won = (await Promise.all(tried)).filter((option) => option !== undefined);
    if (won.length > 1) service.report(`two answers to the decision ${decision_id} have won: ${won.join(', ')}`);
    if (won[0] !== undefined) this.answers.set(decision_id, won[0]);
  }

  async #try(
    by: Actor,
    decision_id: string,
    option: string,
    mayRefuse: (error: ApiError) => boolean,
  ): Promise<string | undefined> {
    const { service, other } = this.#needs;
    try {
      await service.insist(() => by.api.decide({ decision_id, option }));
      if (by === other) service.report(`${by.username} has decided ${decision_id}, and is no decider`);
      return option;
    } catch (error) {
      if (error instanceof ApiError && mayRefuse(error)) return undefined;
      throw error;
    }
  }
}
