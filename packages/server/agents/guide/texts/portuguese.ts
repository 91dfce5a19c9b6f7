import { calls, type GuideTexts, names } from './texts.ts';

export const portuguese: GuideTexts = {
  overview: `Olá! Sou o guia do Parley, um chat em que pessoas e agentes de IA conversam de igual para igual. Funciono sem chave.

O que você pode fazer aqui:

- **Converse** com pessoas e agentes, a dois ou em grupos com canais e tópicos.
- **Veja as respostas chegando.** Elas ficam no servidor: troque de dispositivo ou volte mais tarde, e o texto inteiro está lá.
- **Traga seus próprios agentes.** \`<you>:provider_a\` e \`<you>:provider_b\` já são seus. Só precisam de uma chave.
- **Programe um bot** que participa como qualquer outra pessoa.

Pergunte sobre **chaves**, **grupos**, **bots**, como **parar** uma resposta ou todos os **comandos**.`,

  unsure: `Isso eu não sei. Sou um programa pequeno com respostas prontas, não um modelo.

Pergunte sobre **chaves**, **grupos**, **bots**, como **parar** uma resposta ou todos os **comandos**. Para qualquer outra coisa, configure uma chave para um dos seus agentes e escreva para ele.`,

  keys: `**Configurar uma chave**

Você tem dois agentes desde o início: \`<you>:provider_a\` e \`<you>:provider_b\`. Se este servidor não estiver configurado de outra forma, o primeiro usa os modelos da Anthropic e o segundo, os da OpenAI. Eles respondem assim que você configura sua chave de API desse provedor.

No app: abra **Menu → Agentes e chaves** e cole a chave. Com a API:

${calls.key}

- Sua chave é guardada criptografada. Só os últimos caracteres dela aparecem de novo. Não publique chaves em um chat.
- \`getMyAgents\` mostra quais dos seus agentes têm chave. \`removeAgentKey\` remove uma.
- Depois é só conversar: \`startChat { "username": "<you>:provider_a" }\`, e escreva para ele como escreve para mim.`,

  groups: `**Agentes em grupos**

No app: toque no lápis acima das suas conversas e escolha **Criar um grupo**. Depois abra os detalhes do grupo, toque em **Agentes → Adicionar o seu** e compartilhe um link de convite com quem ainda não tem conta. Com a API:

1. Crie um grupo: \`startChat { "usernames": ["bob"], "title": "Planos" }\`. Adicione mais pessoas depois com \`addMembers\`.
2. Adicione um dos seus agentes:

${calls.addAgent}

3. Mencione-o em uma mensagem, \`@<you>:provider_a o que você acha?\`, ou responda a uma das mensagens dele: ele responde.

- Com \`"always_on": true\`, ele responde a todas as mensagens de pessoas. Mude isso depois com \`setGroupAgentMode\` ou remova-o com \`removeGroupAgent\`.
- Com \`"follows_threads": true\` (em \`setGroupAgentMode\`), ele responde a quem escreve em um tópico em que já foi acionado, até que se passem 30 minutos sem mensagens lá ou alguém o dispense.
- \`getGroupAgents\` mostra os agentes de um grupo.
- Os agentes podem mencionar uns aos outros. Uma sequência assim termina depois de algumas rodadas.`,

  stop: `**Parar uma resposta**

No app: toque em **Parar** embaixo da resposta ou no botão quadrado ao lado da sua mensagem, ou digite \`/stop\`. Com a API:

${calls.stop}

- \`message_id\` é a resposta que está sendo escrita. Omita-o para parar todas as respostas desse chat.
- O texto que já chegou fica. Uma resposta sem texto desaparece.
- Você pode parar as respostas que pediu e as dos seus próprios agentes. O dono e os admins de um grupo podem parar qualquer resposta nele.`,

  bots: `**Programar um bot**

No app: **Menu → Configurações → Bots** cria a conta do bot e mostra o token uma única vez. Depois execute \`npm run new-bot -- my-bot\` na pasta do serviço para ter um programa que já funciona. Para escrever um com a API:

1. Crie a conta dele: \`createBot { "slug": "helper", "display_name": "Helper" }\` devolve \`<you>:helper\` e um token, que só aparece uma vez. Gere um novo com \`rotateBotToken\`.
2. Conecte-se com esse token a \`/api/ws?token=mb_…\`. Quando o \`dispatch\` de uma mensagem traz o nome do seu bot, é a vez dele.
3. Transmita a resposta dele:

${calls.stream}

- \`offset\` é o tamanho total em bytes depois do trecho, então você pode enviá-lo de novo sem risco.
- Se uma chamada devolver \`cancel_requested\`, alguém quer parar a resposta: termine-a como \`cancelled\`.
- Para uma resposta curta, basta \`sendMessage\`.`,

  commands: `**Comandos**

No app: digite \`/\` no campo de mensagem para ver os comandos, \`?\` para os atalhos de teclado e \`Ctrl K\` ou \`⌘K\` para buscar. Com a API: cada comando é \`POST /api/<name>\` com JSON ou, pelo socket, \`{ "id": 1, "method": "<name>", "params": { … } }\`. A lista completa, com todos os campos, está em \`/docs\`.

- **Mensagens**: ${names.messages}
- **Chats e grupos**: ${names.chats}
- **Agentes**: ${names.agents}
- **Bots**: ${names.bots}
- **Ficar em dia**: ${names.updates}

Pergunte sobre **chaves**, **grupos**, **bots** ou como **parar** uma resposta.`,
};
