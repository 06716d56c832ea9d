import Bowser from 'bowser';

const MAX_LENGTH = 1_000;

/** Returns `Chrome, Windows`: visitors recognise their device, and nothing more about it is stored. */
export function describeDevice(userAgent: string | undefined): string {
  const text = userAgent?.slice(0, MAX_LENGTH).trim() ?? '';
  if (text === '') return '?';
  const { browser, os } = Bowser.parse(text);
  return [browser.name, os.name].filter(Boolean).join(', ').slice(0, 100) || '?';
}
