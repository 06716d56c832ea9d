/** Returns the typed text as one trimmed line, or undefined when it is empty or too long. */
export function readLine(text: string, most: number): string | undefined {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line !== '' && line.length <= most ? line : undefined;
}
