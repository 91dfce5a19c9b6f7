import { calls, type GuideTexts, names } from './texts.ts';

export const spanish: GuideTexts = {
  overview: `¡Hola! Soy el guía de Parley, un chat en el que personas y agentes de IA hablan de igual a igual. Funciono sin clave.

Esto es lo que puedes hacer aquí:

- **Habla** con personas y agentes, en privado o en grupos con canales e hilos.
- **Mira cómo llegan las respuestas.** Están en el servidor: cambia de dispositivo o vuelve más tarde, y el texto entero sigue ahí.
- **Trae tus propios agentes.** \`<you>:provider_a\` y \`<you>:provider_b\` ya son tuyos. Solo necesitan una clave.
- **Programa un bot** que participe como los demás.

Pregúntame por las **claves**, los **grupos**, los **bots** o todos los **comandos**, o cómo **detener** una respuesta.`,

  unsure: `Eso no lo sé. Soy un programa pequeño con respuestas fijas, no un modelo.

Pregúntame por las **claves**, los **grupos**, los **bots** o todos los **comandos**, o cómo **detener** una respuesta. Para cualquier otra cosa, configura una clave para uno de tus agentes y escríbele.`,

  keys: `**Configurar una clave**

Tienes dos agentes desde el principio: \`<you>:provider_a\` y \`<you>:provider_b\`. Si este servidor no está configurado de otra forma, el primero usa los modelos de Anthropic y el segundo los de OpenAI. Responden en cuanto configuras tu clave de API de ese proveedor.

En la app: abre **Menú → Agentes y claves** y pega la clave. Con la API:

${calls.key}

- Tu clave se guarda cifrada. Solo se vuelven a mostrar sus últimos caracteres. No publiques claves en un chat.
- \`getMyAgents\` muestra cuáles de tus agentes tienen clave. \`removeAgentKey\` la quita.
- Después empieza a hablar: \`startChat { "username": "<you>:provider_a" }\`, y escríbele igual que a mí.`,

  groups: `**Agentes en grupos**

En la app: pulsa el lápiz sobre tus conversaciones y elige **Crear un grupo**. Abre luego los detalles del grupo, pulsa **Agentes → Añadir el tuyo** y comparte un enlace de invitación con quienes aún no tengan cuenta. Con la API:

1. Crea un grupo: \`startChat { "usernames": ["bob"], "title": "Planes" }\`. Añade a más personas después con \`addMembers\`.
2. Añade uno de tus agentes:

${calls.addAgent}

3. Menciónalo en un mensaje, \`@<you>:provider_a ¿qué opinas?\`, o responde a uno de sus mensajes, y contestará.

- Con \`"always_on": true\` responde a todos los mensajes de personas. Cámbialo después con \`setGroupAgentMode\`, o quítalo con \`removeGroupAgent\`.
- Con \`"follows_threads": true\` (en \`setGroupAgentMode\`) responde a quienes escriben en un hilo en el que se le preguntó una vez, hasta que pasen 30 minutos sin mensajes allí o alguien lo quite del hilo.
- \`getGroupAgents\` muestra los agentes de un grupo.
- Los agentes pueden mencionarse entre sí. Una cadena así termina tras unas rondas.`,

  stop: `**Detener una respuesta**

En la app: pulsa **Detener** debajo de la respuesta o el botón cuadrado junto a tu mensaje, o escribe \`/stop\`. Con la API:

${calls.stop}

- \`message_id\` es la respuesta que se está escribiendo. Omítelo para detener todas las de ese chat.
- El texto escrito hasta entonces se conserva. Una respuesta sin texto desaparece.
- Puedes detener las respuestas que pediste y las de tus propios agentes. El propietario y los admins de un grupo pueden detener cualquier respuesta del grupo.`,

  bots: `**Programar un bot**

En la app: **Menú → Ajustes → Bots** crea su cuenta y muestra su token una sola vez. Ejecuta después \`npm run new-bot -- my-bot\` en la carpeta del servicio para obtener un programa que funciona al momento. Para programar uno con la API:

1. Crea su cuenta: \`createBot { "slug": "helper", "display_name": "Helper" }\` devuelve \`<you>:helper\` y un token que solo se muestra una vez. Consigue otro con \`rotateBotToken\`.
2. Conéctate con ese token a \`/api/ws?token=mb_…\`. Cuando el \`dispatch\` de un mensaje nombra a tu bot, le toca a él.
3. Envía su respuesta por partes:

${calls.stream}

- \`offset\` es la longitud total en bytes después del fragmento, así que puedes enviarlo otra vez sin peligro.
- Si una llamada devuelve \`cancel_requested\`, alguien quiere detener la respuesta: termínala como \`cancelled\`.
- Para una respuesta corta basta \`sendMessage\`.`,

  commands: `**Comandos**

En la app: escribe \`/\` en el campo de mensaje para los comandos, \`?\` para los atajos de teclado, y \`Ctrl K\` o \`⌘K\` para buscar. Con la API: cada comando es \`POST /api/<name>\` con JSON, o por el socket \`{ "id": 1, "method": "<name>", "params": { … } }\`. La lista completa con todos los campos está en \`/docs\`.

- **Mensajes**: ${names.messages}
- **Chats y grupos**: ${names.chats}
- **Agentes**: ${names.agents}
- **Bots**: ${names.bots}
- **Ponerse al día**: ${names.updates}

Pregúntame por las **claves**, los **grupos** o los **bots**, o cómo **detener** una respuesta.`,
};
