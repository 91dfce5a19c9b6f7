// Agents without code, as someone meets them who is new: also the source of the pictures docs/images/agents-*.png.
import { pdf } from '@parley/testing/files/pdfs.ts';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { withStage } from '../setup/stage.ts';

const KEY = 'key-of-ann';
const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;
const desktop = { viewport: { width: 1_200, height: 820 } } as const;

const instructions = `You help people plan trips by train.

- Look the trains up before you answer, and name your sources.
- Answer with times and platforms, the best train first.
- If two people want different things, say how both can be done.`;

const reply = (lines: readonly string[]) => ({ chunks: lines.map((line) => `${line}\n`) });

inChromium('WEB-110, WEB-4: a new agent is made, tried, asked about files, and shared', async () => {
  await withStage(async (stage) => {
    const { world } = stage;
    const [ann, bob] = await Promise.all([stage.person('ann', desktop), stage.person('bob', phone)]);
    const { page } = ann;
    const { api } = await ann.actor();

    // Three steps and a trial.
    world.providers.script(
      KEY,
      reply([
        'Two trains suit you:',
        '',
        '1. **8:15** from platform 4, in Bern at 9:12',
        '2. **8:45** from platform 7, in Bern at 9:42',
        '',
        'The first one has a dining car.',
      ]),
    );
    await page.goto(`${world.url}/settings/agents/new`);
    await page.getByLabel('Name').fill('Trip planner');
    await page.getByLabel('Description').fill('Finds trains, and what to do where they go');
    await page.getByLabel('Picture').setInputFiles(smallPhoto('planner.png', 120));
    await page.locator('main form img').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Instructions').fill(instructions);
    await page.getByLabel('Anthropic API key').fill(KEY);
    await page.getByRole('button', { name: 'Create and try it' }).click();
    await page.getByText('Trip planner is ready').waitFor();
    await ann.say('Which train takes me to Bern tomorrow morning?');
    await ann.message('The first one has a dining car.').waitFor();
    await page.getByRole('button', { name: 'How it answers' }).click();
    await page.getByLabel('Instructions').waitFor();
    await stage.picture('agents-form', page);

    // A group of people, and files of one of them.
    const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Sunday in Bern' });
    await api.addGroupAgent({ chat_id, agent_username: 'ann:trip_planner' });
    await api.updateAgent({ username: 'ann:trip_planner', pays_for: 'groups' });
    await Promise.all([ann.open(chat_id), bob.open(chat_id)]);
    await ann.say('I found this picture, and the plan of the day');
    await page
      .locator('[data-composer=timeline] input[type=file]')
      .setInputFiles([
        smallPhoto('lake.png', 160),
        { name: 'plan.pdf', mimeType: 'application/pdf', buffer: pdf({ text: 'Museum at 10, lake at 14' }) },
      ]);
    const asked = world.providers.steer(KEY, { input: 2_140, output: 180 });
    await ann.composer.fill('@trip_planner which train, so that we are at the museum in time?');
    const line = page.locator('[data-composer=timeline] [data-who]');
    await expect
      .poll(() => line.innerText())
      .toBe('@trip_planner is sent as @ann:trip_planner. Trip planner · ann answers, paid by you.');
    await stage.picture('agents-who', page.locator('[data-composer=timeline]'));
    await ann.composer.press('Enter');
    const request = JSON.stringify((await asked.started).body);
    expect(request).toContain('"image"');
    expect(request).toContain('"document"');

    // Thoughts, a search and sources, while both watch; one of them reloads in the middle.
    asked.block({ reasoning: ['The museum opens at 10. ', 'They need a train that arrives before 9:40.'] });
    const timetable = {
      url: 'https://trains.example/bern',
      title: 'Trains to Bern',
      quoted: 'The train at 8:15 runs daily.',
    };
    const museum = { url: 'https://museum.example/', title: 'Opening hours', quoted: 'Open from 10 to 17.' };
    asked.block({ search: 'trains to Bern on Sunday morning', found: [timetable, museum] });
    asked.text('Take the train at **8:15** from platform 4. ');
    await bob.message('Take the train at').waitFor();
    await page.reload();
    await ann.message('Take the train at').waitFor();
    asked.block({ text: 'You are in Bern at 9:12, and at the museum when it opens.', cites: [timetable, museum] });
    asked.text('\n\n| | leaves | arrives |\n|---|---|---|\n| Basel | 8:15 | |\n| Bern | | 9:12 |\n');
    asked.end();
    const answer = ann.message('Take the train at');
    await answer.and(page.locator('[data-status=complete]')).waitFor();
    await answer.getByRole('button', { name: /^Thought/ }).click();
    await answer.getByText('before 9:40').waitFor();
    await stage.picture('agents-reply', page);
    await bob.message('Take the train at').and(bob.page.locator('[data-status=complete]')).waitFor();

    // The next one is stopped, on the phone of the one who asked for it.
    const stopped = world.providers.steer(KEY);
    await bob.composer.fill('@ann:trip_planner and back?');
    await bob.page.getByRole('button', { name: 'Send', exact: true }).tap();
    await stopped.started;
    stopped.text('Back there are trains at 17:04, ');
    await bob.message('Back there are').waitFor();
    await stage.picture('agents-phone', bob.page);
    await bob.page.getByRole('button', { name: 'Stop' }).first().tap();
    await bob.message('Back there are').and(bob.page.locator('[data-status=cancelled]')).waitFor();
    await ann.message('Back there are').and(page.locator('[data-status=cancelled]')).waitFor();
  });
});
