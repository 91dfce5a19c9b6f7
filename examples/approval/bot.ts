import { createBot } from '@parley/client/bot';

// Asks before it acts, and goes on when somebody has decided: minutes or days later, also if it was killed meanwhile.
const bot = createBot();
const service = { name: 'service', required: true };
const DAY_S = 24 * 60 * 60;

bot.command({ command: 'deploy', description: 'Deploy a service', arguments: [service] }, async (ctx) => {
  const name = ctx.command.args;
  if (!/^[\w.-]+$/.test(name)) return ctx.reply('Name one service, such as web-7.');
  const { kind } = await ctx.chat;
  const answer = await ctx.ask({
    text: `Deploy **${name}**?`,
    form: [
      { key: 'at', label: 'When', type: 'select', options: ['now', 'tonight'], required: true },
      { key: 'notify', label: 'Tell the customers', type: 'boolean' },
    ],
    options: [
      { id: 'deploy', label: 'Deploy', style: 'primary' },
      { id: 'decline', label: 'Not now' },
    ],
    // In a group only its owner and admins decide.
    deciders: kind === 'group' ? 'admins' : [ctx.from.username],
    expires_in: DAY_S,
  });
  // What must not happen twice is done from here on.
  if (answer.option !== 'deploy') {
    const why = answer.state === 'decided' ? `${answer.by} declined` : `the question was ${answer.state}`;
    return ctx.reply(`${name} was not deployed: ${why}.`);
  }
  const told = answer.fields.notify ? ', and the customers are told' : '';
  return ctx.reply(`${name} is deployed ${answer.fields.at}${told}. ${answer.by} decided.`);
});

bot.on('message', (ctx) => ctx.reply('Say `/deploy` and the name of a service.'));

await bot.start();
