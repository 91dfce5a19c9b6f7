import type { BotCommand } from '@parley/protocol';
import { useEffect, useRef } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { EmojiSign } from '../../emoji/emoji-sign.tsx';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { argumentsOf } from '../commands/bot-commands.ts';
import { StatusSign } from '../../chats/chat/person-status.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import styles from './completion-list.module.css';
import { type Completion, type Option, optionId } from './use-completion.ts';
import { t } from '../../words/t.ts';

interface CompletionListProps {
  id: string;
  completion: Completion;
  onChoose: (option: Option) => void;
}

const titles = {
  mention: t('People and agents'),
  emoji: t('Emoji'),
  command: t('Commands'),
  inline: t('Results'),
} as const;

/** The suggestions above the composer. The focus stays in the text. */
export default function CompletionList({ id, completion, onChoose }: CompletionListProps) {
  const { completing, options, active, isBusy } = completion;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  if (completion.filling) return <ArgumentsHint command={completion.filling.command} />;
  if (!completing || (options.length === 0 && !isBusy)) return null;
  return (
    <div className={styles['popup']} data-completing={completing.kind}>
      <p className={styles['title']} role="status">
        {isBusy && completing.kind === 'inline'
          ? t('@{bot} is searching …', { bot: completing.bot })
          : titles[completing.kind]}
      </p>
      <div ref={list} id={id} className={styles['list']} role="listbox" aria-label={titles[completing.kind]}>
        {options.map((option, at) => (
          // The text field keeps the focus and handles the keys.
          <div
            key={option.id}
            id={optionId(id, at)}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            className={classNames(styles['option'], styles[option.kind], at === active && styles['active'])}
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => at === active || completion.activate(at)}
            onClick={() => onChoose(option)}
          >
            <OptionText option={option} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** What may follow a bot's command, while it is typed. */
function ArgumentsHint({ command }: { command: BotCommand }) {
  return (
    <div className={styles['popup']} data-completing="arguments" role="status">
      <p className={styles['title']}>
        /{command.command} {argumentsOf(command)}
      </p>
      {command.arguments?.map(({ name, description }) =>
        description ? (
          <p key={name} className={styles['hint']}>
            <span className={styles['name']}>{name}</span> <span dir="auto">{description}</span>
          </p>
        ) : null,
      )}
    </div>
  );
}

function OptionText({ option }: { option: Option }) {
  switch (option.kind) {
    case 'mention': {
      const { display_name, username, kind } = option.person;
      return (
        <>
          <Avatar name={display_name} username={username} kind={kind} size={24} />
          <span className={styles['name']}>{shownName(option.person)}</span>
          {kind === 'human' ? <StatusSign username={username} /> : null}
          {kind === 'agent' ? <span className={styles['kind']}>{t('agent')}</span> : null}
          <span className={styles['about']}>{handleOf(username)}</span>
        </>
      );
    }
    case 'group':
      return (
        <>
          <Avatar name={option.group.title} username={option.group.name} kind="group" size={24} />
          <span className={styles['name']}>{option.group.title}</span>
          <span className={styles['about']}>@{option.group.name}</span>
        </>
      );
    case 'emoji':
      return (
        <>
          <span className={styles['sign']} aria-hidden>
            <EmojiSign emoji={option.emoji} />
          </span>
          <span className={styles['name']}>{option.name}</span>
        </>
      );
    case 'command': {
      const { name, argument, about } = option.command;
      return (
        <>
          <span className={styles['name']}>/{name}</span>
          {argument ? <span className={styles['argument']}>{argument}</span> : null}
          <span className={styles['about']}>{about}</span>
        </>
      );
    }
    case 'bot-command': {
      const { command, bot } = option.offered;
      return (
        <>
          <span className={styles['name']}>/{command.command}</span>
          <span className={styles['argument']}>{argumentsOf(command)}</span>
          {option.isGroup ? <span className={styles['kind']}>{bot.display_name}</span> : null}
          <span className={styles['about']}>{command.description}</span>
        </>
      );
    }
    case 'inline':
      return (
        <span className={styles['result']} dir="auto">
          {option.text}
        </span>
      );
    default:
      return option satisfies never;
  }
}
