import { Inject, Injectable } from '@nestjs/common';
import { failureText } from '@warren/platform/mail/failure';
import { MAIL_OPTIONS, Mailer, type MailOptions } from '@warren/platform/mail/mailer';
import { reasonOf, waitOf } from '@warren/platform/outbound/answer';
import { DeliveryError } from '@warren/platform/outbound/delivery.error';
import { HookClient, type Answer } from '@warren/platform/outbound/hook.client';
import { signatureHeaders } from '@warren/platform/outbound/signature';
import type { ChannelEntity } from '../channels/channel.entity.ts';
import { ChannelSecrets } from '../channels/channel.secrets.ts';
import type { Message } from '../formats/content.ts';
import { alertLetter } from '../formats/letter.ts';
import { slackPayload } from '../formats/slack.ts';
import { teamsPayload } from '../formats/teams.ts';
import { webhookPayload } from '../formats/webhook.ts';
import type { Outcome } from './outcome.ts';

/** Slack names its errors, such as `channel_is_archived`. */
const SLACK_ERROR = /^[a-z_]{1,60}$/;
const GONE = [404, 410];

/** Teams counts the bytes of a message as UTF-16, and so half as many fit, unless it is said to be UTF-8. */
const UTF_8 = { 'content-type': 'application/json; charset=utf-8' };

/** Makes one attempt to deliver a message. */
@Injectable()
export class Deliverer {
  constructor(
    private readonly mailer: Mailer,
    @Inject(MAIL_OPTIONS) private readonly mail: MailOptions,
    private readonly hooks: HookClient,
    private readonly secrets: ChannelSecrets,
  ) {}

  /** Never rejects for what a receiver does. */
  async deliver(channel: ChannelEntity, message: Message): Promise<Outcome> {
    if (channel.kind === 'mail') return this.byMail(channel, message);
    let answer: Answer;
    try {
      answer = await this.post(channel, message);
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      return { delivered: false, reason: error.message };
    }
    return outcomeOf(channel, answer);
  }

  private async byMail({ addresses }: ChannelEntity, message: Message): Promise<Outcome> {
    try {
      const refused = await this.mailer.send(alertLetter(message, addresses, this.mail.hub));
      if (refused.length === 0) return { delivered: true };
      return { delivered: true, remark: `The mail server refused ${refused.join(', ')}.` };
    } catch (error) {
      return { delivered: false, reason: failureText(error) };
    }
  }

  private post(channel: ChannelEntity, message: Message): Promise<Answer> {
    const url = new URL(this.secrets.readable(() => this.secrets.open('url', channel)));
    const { hub } = this.mail;
    if (channel.kind === 'slack') return this.hooks.post(url, JSON.stringify(slackPayload(message, hub)));
    if (channel.kind === 'teams') return this.hooks.post(url, JSON.stringify(teamsPayload(message, hub)), UTF_8);
    const body = JSON.stringify(webhookPayload(message, hub));
    const at = new Date();
    const secrets = this.secrets.readable(() => this.secrets.signing(channel, at));
    return this.hooks.post(url, body, signatureHeaders({ id: message.id, body, at }, ...secrets));
  }
}

function outcomeOf({ kind }: ChannelEntity, { status, retryAfter, text }: Answer): Outcome {
  if (status >= 200 && status < 300) return { delivered: true };
  const retryAfterMs = waitOf(retryAfter);
  return {
    delivered: false,
    reason: reasonOf(status, kind === 'slack' && SLACK_ERROR.test(text) ? text : ''),
    gone: GONE.includes(status),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
