import { EMPTY_LINE, type Html, html, lines } from '../../../core/html.ts';

/** A question, with what was wrong with the last answer on top. */
export const withProblem = (problem: string | undefined, question: Html): Html =>
  problem === undefined ? question : lines(html`⚠️ ${problem}`, EMPTY_LINE, question);

/** What people type in a line: no breaks, no spaces around it. Nothing when it is empty or too long. */
export function readLine(text: string, most: number): string | undefined {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line !== '' && line.length <= most ? line : undefined;
}
