import { UsageError } from "../program/failures.ts";

/**
 * A header takes no other characters, and fetch's own error about it would show the key.
 *
 * @param from says in words where the text is from. @throws {UsageError} without the text.
 */
export function apiKeyOf(text: string, from: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError(`${from} is no API key: it is empty, or has characters that no key has`);
}
