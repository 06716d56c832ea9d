import { join, leave, press, readConversation, writeTo } from '../actions.ts';
import { passTime } from '../exchange/clock.ts';
import { catchWebhooks } from '../exchange/webhooks.ts';
import { current, type State } from '../store.ts';
import type { Button, Chat, Message } from '../wire.ts';

/** What "Do it for me" does: the actions of a visitor, through the same endpoints as their presses. */

const club = (): string => current().exchange?.demo_bot ?? '';

export async function startClub(person: number): Promise<void> {
  await writeTo(person, club(), '/start');
}

export const subscribe = (): Promise<void> => catchWebhooks();

/** Joins the sponsors of the newest list. */
export async function joinSponsors(person: number): Promise<void> {
  for (const { button } of await newestButtons(person)) {
    const name = button.url === undefined ? undefined : new URL(button.url).pathname.slice(1).toLowerCase();
    const chat = current().phone?.chats.find((candidate) => candidate.username?.toLowerCase() === name);
    if (chat !== undefined && !chat.is_member) await join(chat.chat_id, person);
  }
}

export async function confirm(person: number): Promise<void> {
  await joinSponsors(person); // the visitor may have left one again
  const pressed = (await newestButtons(person)).find(({ button }) => button.callback_data?.startsWith('sponsorgate:'));
  if (pressed?.button.callback_data === undefined) return;
  await press(person, club(), pressed.button.callback_data, pressed.message.message_id);
}

export async function letDayPass(): Promise<void> {
  await passTime(24);
}

/** Everything from the start of the bot to the counted subscription. */
export async function goThroughGate(person: number): Promise<void> {
  await startClub(person);
  await confirm(person);
}

export async function leaveSponsor(person: number, find: (state: State) => Chat | undefined): Promise<void> {
  const chat = find(current());
  if (chat !== undefined) await leave(chat.chat_id, person);
}

/** Unfolds an entry, once it is there: a webhook arrives a moment after its cause. */
export async function unfold(selector: string): Promise<void> {
  for (let waits = 0; waits < 50; waits++) {
    const entry = document.querySelector<HTMLDetailsElement>(selector);
    if (entry !== null) {
      entry.open = true;
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Returns the buttons of the newest message that has any. */
async function newestButtons(person: number): Promise<{ readonly button: Button; readonly message: Message }[]> {
  const talk = await readConversation(person, club());
  const message = talk?.messages.findLast((candidate) => candidate.keyboard.length > 0);
  return message === undefined ? [] : message.keyboard.flat().map((button) => ({ button, message }));
}
