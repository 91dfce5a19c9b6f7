import type { FakeBlock, ReplyScript } from '@parley/testing/providers/fake-reply.ts';
import { type FakeToolServer, startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const tools = {
  peek: { title: 'Look up', annotations: { openWorldHint: false }, run: () => 'the balance is 7' },
  pay: { title: 'Pay', run: ({ to }: Record<string, unknown>) => `paid ${String(to)}` },
};

type ServerInput = Parameters<Awaited<ReturnType<Person['actor']>>['api']['setAgentTools']>[0]['servers'][number];

/** Runs a test with a server of tools that agents may call. */
async function withTools(work: (stage: Stage, server: FakeToolServer) => Promise<void>): Promise<void> {
  await using server = await startToolServer({ ...tools });
  await withStage(async (stage) => work(stage, server), { env: { TOOL_ENDPOINTS: `public,${server.origin}` } });
}

const asking = (...chunks: (string | FakeBlock)[]): ReplyScript => ({ chunks, finish: 'tool_use' });
const call = (tool: string, input: object = {}): FakeBlock => ({ call: `bank_${tool}`, input });

/** Ann and her agent with tools in a group with ben, whose browser is open in it too. */
async function scene(
  stage: Stage,
  server: FakeToolServer,
  { given = {}, annOptions = {} }: { given?: Partial<ServerInput>; annOptions?: Parameters<Stage['person']>[1] } = {},
) {
  const [ann, ben] = await Promise.all([stage.person('ann', annOptions), stage.person('ben')]);
  const { api } = await ann.actor();
  const agent = await ann.agent('key');
  const listed = [
    { name: 'peek', writes: false },
    { name: 'pay', writes: true },
  ];
  const bank = {
    name: 'bank',
    url: server.url,
    identity: 'none',
    auth: 'none',
    approval: 'writes',
    tools: listed,
  } as const;
  await api.setAgentTools({ username: agent, servers: [{ ...bank, ...given }] });
  const { id: chat_id } = await api.startChat({ usernames: ['ben'], title: 'Household' });
  await api.addGroupAgent({ chat_id, agent_username: agent });
  await Promise.all([ann.open(chat_id), ben.open(chat_id)]);
  return {
    ann,
    ben,
    api,
    agent,
    chat_id,
    answers(...scripts: ReplyScript[]) {
      const waiting = [...scripts];
      stage.world.providers.script('key', () => waiting.shift() ?? { chunks: ['Nothing more.'] });
    },
    ask: (text = 'please') => api.sendMessage({ chat_id, text: `@${agent} ${text}` }),
  };
}

const cardOf = ({ page }: Person) => page.locator('[data-decision]').last();
const rules = [
  'button-name',
  'color-contrast',
  'label',
  'aria-allowed-attr',
  'aria-required-children',
  'scrollable-region-focusable',
];
const toolOf = ({ timeline }: Person, name = 'Pay') => timeline.getByRole('group', { name: `Tool: ${name}` });

inChromium('WEB-430: in replies the service’s own tools are called in the language of the app', async () => {
  await withTools(async (stage, server) => {
    // What it answers may be from strangers: after it what writes asks first (CALL-8).
    server.tools = { ...server.tools, peek: { title: 'Look up', run: () => 'the balance is 7' } };
    const { ann, api, agent, answers, ask } = await scene(stage, server, { annOptions: { locale: 'de' } });
    await api.updateAgent({ username: agent, built_in_tools: ['current_time', 'remind'] });
    const reminds = { call: 'remind', input: { in_minutes: 5 } };
    answers(asking({ call: 'current_time', input: {} }, call('peek')), asking(reminds), { chunks: ['Fertig.'] });
    await ask();
    await ann.page.getByRole('group', { name: 'Auf die Uhr sehen' }).waitFor();
    const card = cardOf(ann);
    await card.getByText('möchte Erinnerung setzen verwenden').waitFor();
    await card.getByText('Parley', { exact: true }).waitFor();
    expect(await card.getByText('als „Parley“').count()).toBe(0);
  });
});

inChromium(
  'WEB-484: the card of a call says what, where, with whose account, for whom and with which words',
  async () => {
    await withTools(async (stage, server) => {
      const { ann, ben, answers, ask } = await scene(stage, server);
      answers(
        asking('Let me see.', call('pay', { to: 'bob\u202Egnp', amount: 12, note: { lines: ['for', 'bread'] } })),
        {
          chunks: ['Paid.'],
        },
      );
      await ask();
      const card = cardOf(ann);
      await card.getByText('wants to use Pay').waitFor();
      await card.getByText('It may change something there.', { exact: false }).waitFor();
      await card.getByText('The connection isn’t encrypted', { exact: false }).waitFor();
      const sent = card.getByRole('table', { name: 'What is sent' });
      await sent.getByRole('row', { name: 'amount 12' }).waitFor();
      // Signs that reorder text are written out.
      await sent.getByText('bob\\u{202E}gnp').waitFor();
      expect(await card.getByRole('button').allInnerTexts()).toEqual([
        'Don’t allow',
        'Allow once',
        'Always allow in this conversation',
        'Always allow',
      ]);
      expect(await card.getByRole('definition').allInnerTexts()).toEqual([
        'pay',
        expect.stringContaining(server.origin),
        'None',
        'You and Ben',
      ]);
      // Others learn that a call waits, and not with which words.
      await cardOf(ben).getByText('Only Ann sees what is sent there.').waitFor();
      expect(await ben.timeline.getByText('bread').count()).toBe(0);
      expect(await cardOf(ben).getByRole('button').count()).toBe(0);
      expect(await findings(ann.page, rules)).toEqual([]);
      await stage.picture('call-open', ann.page);
      await stage.picture('call-open-other', ben.page);
      await ann.page.setViewportSize({ width: 360, height: 900 });
      await ann.page.emulateMedia({ colorScheme: 'dark' });
      expect(await ann.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      expect(await findings(ann.page, ['color-contrast'])).toEqual([]);
      await stage.picture('call-phone-dark', ann.page);
      await ann.page.setViewportSize({ width: 1_200, height: 900 });
      // The reply says for whom it waits, and leads to the card.
      await ann.timeline.getByText('Waiting for your decision.').waitFor();
      await ben.timeline.getByText('Waiting for Ann to decide.').waitFor();
      await toolOf(ben).getByText('Needs approval').waitFor();
      await ben.page.getByRole('button', { name: 'Show the question' }).click();
      await ben.page.waitForFunction(() => {
        const { top = -1 } = document.querySelector('[data-decision]')?.getBoundingClientRect() ?? {};
        return top >= 0 && top < innerHeight;
      });
      await card.getByRole('button', { name: 'Allow once' }).click();
      await ann.timeline.getByText('Paid.').waitFor();
      await ben.timeline.getByText('Paid.').waitFor();
      // What was decided takes little room beside the reply.
      expect(await sent.isVisible()).toBe(false);
      await card.getByText('Details', { exact: true }).click();
      await sent.getByRole('row', { name: 'amount 12' }).waitFor();
      await stage.picture('call-decided', ann.page);
      expect(await ben.timeline.getByText('Waiting for Ann to decide.').count()).toBe(0);
      expect(server.calls.map(({ arguments: given }) => given)).toEqual([
        { to: 'bob\u202Egnp', amount: 12, note: { lines: ['for', 'bread'] } },
      ]);
    });
  },
);

inChromium(
  'WEB-485: what a call was given and has answered is folded, for its asker alone until it is shared',
  async () => {
    await withTools(async (stage, server) => {
      const { ann, ben, answers, ask } = await scene(stage, server);
      answers(asking(call('peek', { account: 'savings' })), { chunks: ['It is 7.'] });
      await ask();
      await ann.timeline.getByText('It is 7.').waitFor();
      const unfold = (person: Person) => toolOf(person, 'Look up').getByRole('button', { name: 'Look up' }).click();
      await toolOf(ben, 'Look up').getByText('Done').waitFor();
      expect(await toolOf(ann, 'Look up').getByText('savings').count()).toBe(0);
      await unfold(ann);
      await toolOf(ann, 'Look up').getByText('savings').waitFor();
      await toolOf(ann, 'Look up').getByText('the balance is 7').waitFor();
      await unfold(ben);
      await toolOf(ben, 'Look up').getByText('Only the person who asked can see', { exact: false }).waitFor();
      await stage.picture('call-contents', ann.page);
      expect(await findings(ann.page, rules)).toEqual([]);
      await toolOf(ann, 'Look up').getByRole('button', { name: 'Show to everyone here' }).click();
      await ann.page.getByRole('dialog').getByRole('button', { name: 'Show to everyone' }).click();
      await toolOf(ben, 'Look up').getByText('the balance is 7').waitFor();
      expect(await toolOf(ann, 'Look up').getByRole('button', { name: 'Show to everyone here' }).count()).toBe(0);
    });
  },
);

inChromium('WEB-486: a declined call is shown as denied, and the asker can stop a reply that waits', async () => {
  await withTools(async (stage, server) => {
    const { ann, ben, answers, ask } = await scene(stage, server);
    answers(asking(call('pay', { to: 'bob' })), { chunks: ['Then not.'] }, asking(call('pay', { to: 'cleo' })));
    await ask();
    await cardOf(ann).getByRole('button', { name: 'Don’t allow' }).click();
    await ann.timeline.getByText('Then not.').waitFor();
    await toolOf(ben).getByText('Denied').waitFor();
    await ask('again');
    await ann.timeline.getByText('Waiting for your decision.').waitFor();
    expect(await ben.page.getByRole('button', { name: 'Stop this reply' }).count()).toBe(0);
    await ann.page.getByRole('button', { name: 'Stop this reply' }).click();
    await cardOf(ann).getByText('Withdrawn: there is nothing to decide any more.').waitFor();
    expect(server.calls).toEqual([]);
  });
});

inChromium(
  'WEB-487: a token that an agent lacks is asked for in the conversation, privately, and the reply goes on',
  async () => {
    await withTools(async (stage, server) => {
      server.tokens = ['annas-token'];
      const { ann, ben, api, agent, answers, ask } = await scene(stage, server, {
        given: { identity: 'asker', auth: 'bearer', approval: 'never' },
        annOptions: { locale: 'ar', viewport: { width: 360, height: 800 }, colorScheme: 'dark' },
      });
      await api.setToolCredential({ username: agent, server: 'bank', token: 'annas-token' });
      await api.getToolServers({ username: agent });
      await api.removeToolCredential({ username: agent, server: 'bank' });
      answers(asking(call('peek')), { chunks: ['It is 7.'] });
      await ask();
      const card = cardOf(ann);
      await card.locator('input[type=password]').waitFor();
      expect(await ann.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      // Words of the service are in the language of the app.
      expect(await card.innerText()).not.toMatch(/sign|Decline|token/i);
      await stage.picture('login-card-arabic', ann.page);
      expect(await ben.timeline.locator('[data-decision]').count()).toBe(0);
      await card.locator('input[type=password]').fill('annas-token');
      await card.locator('input[type=password]').press('Enter');
      await ben.timeline.getByText('It is 7.').waitFor();
      expect(server.calls.map(({ token }) => token)).toEqual(['annas-token']);
    });
  },
);

inChromium(
  'WEB-493: the form of a tool says whose it is, and a reply that has used its calls asks in the words of the app',
  async () => {
    await withTools(async (stage, server) => {
      server.era = 'stateless';
      const asks = {
        resultType: 'input_required',
        requestState: 'state-1',
        inputRequests: {
          size: {
            method: 'elicitation/create',
            params: {
              mode: 'form',
              message: 'How many loaves?',
              requestedSchema: {
                type: 'object',
                properties: { count: { type: 'number', title: 'Loaves' } },
                required: ['count'],
              },
            },
          },
        },
      };
      server.tools = {
        ...tools,
        peek: {
          ...tools.peek,
          run: (_given: unknown, _call: unknown, { params }: { params?: Record<string, unknown> }) =>
            params?.['requestState'] === undefined ? asks : 'ordered',
        },
      };
      const { ann, answers, ask } = await scene(stage, server, { given: { approval: 'never' } });
      answers(asking(call('peek')), { chunks: ['Ordered.'] });
      await ask();
      const card = cardOf(ann);
      await ann.message('How many loaves?').waitFor();
      await card.getByText('The question comes from peek on', { exact: false }).waitFor();
      await card.getByLabel('Loaves').fill('3');
      expect(await findings(ann.page, rules)).toEqual([]);
      await stage.picture('input-card', ann.page);
      await card.getByRole('button', { name: 'Send', exact: true }).click();
      await ann.timeline.getByText('Ordered.').waitFor();
      server.tools = { ...tools };
      const many = Array.from({ length: 26 }, () => call('peek'));
      answers(asking(...many), { chunks: ['Enough.'] });
      await ask('again');
      await cardOf(ann).getByText('has used tools 25 times for this reply. May it go on?', { exact: false }).waitFor();
      await stage.picture('budget-card', ann.page);
      await cardOf(ann).getByRole('button', { name: 'Stop', exact: true }).click();
      await ann.timeline.getByText('Enough.').waitFor();
    });
  },
);
