import type { HelpTexts } from './topics.ts';

export const french: HelpTexts = {
  name: 'Aide',
  hello:
    'Bonjour ! Je suis le guide de Parley. Je fonctionne sans clé et réponds aux questions sur l’app. Essayez « Comment créer un agent ? », « Comment inviter un ami ? » ou « Comment activer le mode sombre ? »',
  unknown:
    'Je ne sais pas. Je suis un petit programme qui connaît l’app, pas un modèle. Demandez-moi comment quelque chose fonctionne ici : agents, clés, groupes, fichiers, recherche ou notifications.',
  found: 'Je n’en suis pas sûr, mais la documentation (en anglais) dit ceci :',
  open: 'Ouvrir',
  more: 'Toute l’aide',
  sections: {
    start: 'Premiers pas',
    chats: 'Discussions et groupes',
    agents: 'Agents',
    keys: 'Clés et argent',
    files: 'Fichiers',
    search: 'Recherche',
    notifications: 'Notifications',
    privacy: 'Confidentialité et sécurité',
  },
  topics: {
    agent: {
      title: 'Créer un agent, sans code',
      text: 'Ouvrez {Menu} → {Agents and keys} et appuyez sur {New agent}. Donnez-lui un nom, dites avec vos mots ce qu’il doit faire et choisissez qui peut l’utiliser. Vous pouvez l’essayer à côté du formulaire avant d’enregistrer.',
      words: 'agent assistant créer crée faire fais code programmer',
    },
    key: {
      title: 'Ajouter une clé d’API',
      text: 'Ouvrez {Menu} → {Agents and keys}, choisissez l’agent et collez votre clé d’Anthropic ou d’OpenAI. Elle est chiffrée, et seuls ses derniers caractères sont montrés. N’écrivez jamais une clé dans une discussion.',
      words: 'clé clef api anthropic claude openai gpt fournisseur modèle',
    },
    cost: {
      title: 'Ce que cela coûte, et les limites',
      text: 'Le fournisseur facture le propriétaire de la clé. Au-dessus du champ de texte, vous voyez qui paie avant d’envoyer. Dans les réglages d’un agent, vous fixez des limites : {Monthly token limit}, {Monthly tokens in each group} et {Daily tokens for each of them}.',
      words: 'coût coute prix payer paie argent budget limite jeton facture gratuit',
    },
    stop: {
      title: 'Arrêter une réponse',
      text: 'Appuyez sur {Stop} sous la réponse, ou sur le carré à côté du champ de texte. Ce qui est écrit reste.',
      words: 'arrêt arret stopper interromp annuler',
    },
    agentInGroup: {
      title: 'Des agents dans un groupe',
      text: 'Ouvrez les détails du groupe et appuyez sur {Add yours} sous {Agents}. Il répond quand quelqu’un le mentionne avec `@` ou lui répond. Choisissez {Answer every message} s’il doit toujours répondre.',
      words: 'agent groupe mention ajouter toujours',
    },
    actions: {
      title: 'Ce que les agents font pour vous',
      text: 'Avant d’utiliser un outil qui peut changer quelque chose, un agent vous demande, sauf si vous ou son propriétaire l’avez permis d’avance. Sous {Menu} → {Settings} → {Agent actions}, vous voyez ce que les agents ont fait en votre nom et retirez ce que vous avez permis.',
      words: 'outil action permis permettre autoris mcp',
    },
    bots: {
      title: 'Des bots, pour qui programme',
      text: 'Sous {Menu} → {Settings} → {Bots}, vous créez le compte d’un bot et recevez son jeton. La documentation pour développeurs mène à un bot en cinq minutes.',
      words: 'bot bots webhook sdk développeur programme',
    },
    invite: {
      title: 'Inviter un ami',
      text: 'Ouvrez un groupe, puis ses détails, et choisissez {Invite link}. Créez un lien et envoyez-le : qui l’ouvre peut créer un compte et entre dans le groupe. Qui a déjà un compte est ajouté avec {Add people}.',
      words: 'invit ami amie amis collègue rejoindre lien',
    },
    browse: {
      title: 'Trouver des groupes publics',
      text: 'Ouvrez {Menu} → {Browse groups}. Chaque groupe dit de quoi il s’agit. Vous lisez ses messages une fois que vous l’avez rejoint.',
      words: 'public publics parcourir découvrir rejoindre',
    },
    group: {
      title: 'Créer un groupe',
      text: 'Appuyez sur le crayon au-dessus de vos conversations, choisissez {Make a group}, donnez-lui un nom et ajoutez des personnes. Ses détails montrent {Channels}, les membres et les réglages.',
      words: 'groupe équipe canal canaux salon créer membre',
    },
    later: {
      title: 'Envoyer plus tard, et rappels',
      text: 'Écrivez votre message, ouvrez le menu du bouton d’envoi et choisissez {Send later}. Pour qu’un message vous soit rappelé, ouvrez son menu et choisissez {Remind me}. Ce qui attend est sous {Menu} → {Scheduled}.',
      words: 'tard programmé rappel rappeler demain répéter',
    },
    messages: {
      title: 'Répondre, réagir, modifier, supprimer',
      text: 'Pointez un message, ou maintenez-le sur un téléphone : vous trouvez {Reply}, {React}, {Forward}, {Edit} et {Delete}. Avec {Reply in thread}, vous en parlez à côté de la conversation.',
      words: 'message répondre modifier supprimer effacer transférer réaction réagir fil épingler',
    },
    chat: {
      title: 'Écrire à quelqu’un',
      text: 'Appuyez sur le crayon au-dessus de vos conversations et tapez un nom. Personnes et agents sont dans la même liste.',
      words: 'discussion écrire parler conversation contact',
    },
    voice: {
      title: 'Messages vocaux',
      text: 'Appuyez sur {Record a voice message} à côté du champ de texte, parlez, puis sur {Send the voice message}. Les agents qui le peuvent lisent une transcription.',
      words: 'vocal vocaux voix enregistrer micro audio transcription',
    },
    files: {
      title: 'Envoyer des photos et des fichiers',
      text: 'Déposez des fichiers dans la conversation, collez-les ou appuyez sur le trombone. Les agents voient les photos, les PDF et les fichiers de bureautique et de texte de la conversation. Tous les fichiers sont dans ses détails, sous {Photos and files}.',
      words: 'fichier photo image pdf document joindre téléverser vidéo',
    },
    search: {
      title: 'Trouver quelque chose',
      text: 'Appuyez sur {Search} au-dessus de vos conversations, ou Ctrl K (⌘K sur un Mac). La recherche trouve des messages, des mots dans des fichiers, des personnes et ce que l’app sait faire. Les filtres la limitent à une personne, un jour ou une conversation.',
      words: 'recherch cherch trouver filtre clavier raccourci',
    },
    mute: {
      title: 'Mettre une conversation en sourdine',
      text: 'Ouvrez le menu de la conversation dans la liste et choisissez {Mute} : une heure, une semaine ou jusqu’à ce que vous changiez d’avis.',
      words: 'sourdine silence bruit muet',
    },
    notifications: {
      title: 'Notifications',
      text: 'Ouvrez {Menu} → {Settings} → {Notifications} et activez {Notifications on this device}. Vous y choisissez aussi ce qui vous parvient, et les sons.',
      words: 'notification alerte push son sons',
    },
    inbox: {
      title: 'Ce qui vous concerne',
      text: '{For you}, au-dessus de la liste, réunit les mentions, les réponses et les questions pour vous de toutes les conversations, jusqu’à ce que vous les cochiez.',
      words: 'réception mentions manqué lus concerne',
    },
    language: {
      title: 'Changer la langue',
      text: 'Ouvrez {Menu} → {Settings} → {Appearance} et choisissez-la sous {Language}.',
      words: 'langue français anglais tradui traduction',
    },
    dark: {
      title: 'Mode sombre et taille du texte',
      text: 'Ouvrez {Menu} → {Settings} → {Appearance}. Sous {Colours}, choisissez {Dark}, {Light} ou {System} ; sous {Text size}, de plus grandes lettres.',
      words: 'sombre clair thème couleur apparence police taille nuit mode',
    },
    password: {
      title: 'Changer votre mot de passe',
      text: 'Ouvrez {Menu} → {Settings} → {Profile} et choisissez {Change password}. Vos autres appareils sont déconnectés.',
      words: 'passe mdp',
    },
    deletion: {
      title: 'Vos données, et supprimer votre compte',
      text: 'Ouvrez {Menu} → {Settings} → {Profile}. Sous {Your data}, vous téléchargez une copie ; {Delete account} supprime votre compte pour toujours.',
      words: 'compte données exporter télécharger',
    },
    profile: {
      title: 'Votre nom, photo et statut',
      text: 'Ouvrez {Menu} → {Settings} → {Profile} : changez votre nom, {Change picture} ou {Set a status}.',
      words: 'nom profil avatar statut',
    },
    devices: {
      title: 'Où vous êtes connecté',
      text: 'Ouvrez {Menu} → {Settings} → {Devices}. Déconnectez-y un appareil que vous ne connaissez pas, ou choisissez {Sign out all others}.',
      words: 'appareil session connecté déconnect connexion',
    },
    block: {
      title: 'Bloquer quelqu’un',
      text: 'Ouvrez votre discussion, puis ses détails, et choisissez {Block}. Sous {Menu} → {Settings} → {Privacy}, vous voyez qui vous avez bloqué. Avec {Report …}, dans le menu d’un message, vous prévenez ceux qui gèrent le serveur.',
      words: 'bloqu spam signal harcèlement',
    },
    receipts: {
      title: 'Ce que les autres voient de vous',
      text: 'Ouvrez {Menu} → {Settings} → {Privacy} : choisissez si les autres voient {When you’re online} et {Read receipts}.',
      words: 'confidentialité accusé ligne lecture voient',
    },
    emoji: {
      title: 'Vos propres émojis',
      text: 'Ouvrez {Menu} → {Settings} → {Emoji} et choisissez {Add an emoji}. Tout le monde ici peut l’utiliser.',
      words: 'emoji émoji smiley',
    },
  },
};
