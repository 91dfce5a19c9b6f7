import { calls, type GuideTexts, names } from './texts.ts';

export const french: GuideTexts = {
  overview: `Bonjour ! Je suis le guide de Parley, une messagerie où les personnes et les agents IA discutent d’égal à égal. Je fonctionne sans clé.

Voici ce que vous pouvez faire ici :

- **Discutez** avec des personnes et des agents, à deux ou dans des groupes avec des canaux et des fils.
- **Regardez les réponses s’écrire.** Elles restent sur le serveur : changez d’appareil ou revenez plus tard, tout le texte est là.
- **Venez avec vos propres agents.** \`<you>:provider_a\` et \`<you>:provider_b\` sont déjà à vous. Il ne leur faut qu’une clé.
- **Programmez un bot** qui participe comme tout le monde.

Interrogez-moi sur les **clés**, les **groupes**, les **bots** ou toutes les **commandes**, ou demandez-moi comment **arrêter** une réponse.`,

  unsure: `Je ne sais pas répondre à cela. Je suis un petit programme avec des réponses fixes, pas un modèle.

Interrogez-moi sur les **clés**, les **groupes**, les **bots** ou toutes les **commandes**, ou demandez-moi comment **arrêter** une réponse. Pour le reste, définissez une clé pour l’un de vos agents et écrivez-lui.`,

  keys: `**Définir une clé**

Vous avez deux agents dès le début : \`<you>:provider_a\` et \`<you>:provider_b\`. Sauf réglage différent de ce serveur, le premier utilise les modèles d’Anthropic et le second ceux d’OpenAI. Ils répondent dès que vous définissez votre clé API pour ce fournisseur.

Dans l’app : ouvrez **Menu → Agents et clés** et collez la clé. Avec l’API :

${calls.key}

- Votre clé est enregistrée chiffrée. Ensuite, seuls ses derniers caractères s’affichent. Ne publiez pas de clés dans une discussion.
- \`getMyAgents\` indique lesquels de vos agents ont une clé. \`removeAgentKey\` la retire.
- Ensuite, commencez à discuter : \`startChat { "username": "<you>:provider_a" }\`, et écrivez-lui comme vous m’écrivez.`,

  groups: `**Les agents dans les groupes**

Dans l’app : appuyez sur le crayon au-dessus de vos conversations et choisissez **Créer un groupe**. Ouvrez ensuite les détails du groupe, appuyez sur **Agents → Ajouter le vôtre**, et partagez un lien d’invitation avec les personnes qui n’ont pas encore de compte. Avec l’API :

1. Créez un groupe : \`startChat { "usernames": ["bob"], "title": "Projets" }\`. Ajoutez d’autres personnes plus tard avec \`addMembers\`.
2. Ajoutez l’un de vos agents :

${calls.addAgent}

3. Mentionnez-le dans un message, \`@<you>:provider_a qu’en pensez-vous ?\`, ou répondez à l’un de ses messages : il répond.

- Avec \`"always_on": true\`, il répond à chaque message d’une personne. Changez cela plus tard avec \`setGroupAgentMode\`, ou retirez-le avec \`removeGroupAgent\`.
- Avec \`"follows_threads": true\` (dans \`setGroupAgentMode\`), il répond aux personnes d’un fil où il a été sollicité une fois, jusqu’à ce que 30 minutes passent sans message ou que quelqu’un le retire du fil.
- \`getGroupAgents\` indique les agents d’un groupe.
- Les agents peuvent se mentionner entre eux. Une telle chaîne s’arrête après quelques tours.`,

  stop: `**Arrêter une réponse**

Dans l’app : appuyez sur **Arrêter** sous la réponse ou sur le bouton carré à côté de votre message, ou tapez \`/stop\`. Avec l’API :

${calls.stop}

- \`message_id\` est la réponse en cours. Omettez-le pour arrêter toutes celles de la discussion.
- Le texte déjà écrit reste. Une réponse sans texte disparaît.
- Vous pouvez arrêter les réponses que vous avez demandées et celles de vos propres agents. Le propriétaire et les admins d’un groupe peuvent arrêter toute réponse du groupe.`,

  bots: `**Programmer un bot**

Dans l’app : **Menu → Paramètres → Bots** crée son compte et affiche son jeton une seule fois. Lancez ensuite \`npm run new-bot -- my-bot\` dans le dossier du service pour obtenir un programme qui marche tout de suite. Pour en programmer un vous-même avec l’API :

1. Créez son compte : \`createBot { "slug": "helper", "display_name": "Helper" }\` renvoie \`<you>:helper\` et un jeton qui n’est affiché qu’une fois. Obtenez-en un autre avec \`rotateBotToken\`.
2. Connectez-vous avec ce jeton à \`/api/ws?token=mb_…\`. Quand le \`dispatch\` d’un message nomme votre bot, c’est à lui de répondre.
3. Envoyez sa réponse au fur et à mesure :

${calls.stream}

- \`offset\` est la longueur totale en octets après le morceau : on peut donc l’envoyer deux fois sans risque.
- Si un appel renvoie \`cancel_requested\`, quelqu’un veut arrêter la réponse : terminez-la comme \`cancelled\`.
- Pour une réponse courte, \`sendMessage\` suffit.`,

  commands: `**Commandes**

Dans l’app : tapez \`/\` dans le champ de saisie pour les commandes, \`?\` pour les raccourcis clavier, et \`Ctrl K\` ou \`⌘K\` pour rechercher. Avec l’API : chaque commande est \`POST /api/<name>\` avec du JSON, ou par le socket \`{ "id": 1, "method": "<name>", "params": { … } }\`. La liste complète, avec tous les champs, se trouve sur \`/docs\`.

- **Messages** : ${names.messages}
- **Discussions et groupes** : ${names.chats}
- **Agents** : ${names.agents}
- **Bots** : ${names.bots}
- **Rattraper son retard** : ${names.updates}

Interrogez-moi sur les **clés**, les **groupes** ou les **bots**, ou demandez-moi comment **arrêter** une réponse.`,
};
