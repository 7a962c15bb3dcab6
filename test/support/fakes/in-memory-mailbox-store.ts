import type { MailboxPart, MailboxStore } from "../../../shared/domain/tunnel/mailbox.ts";

export class InMemoryMailboxStore implements MailboxStore {
  readonly #rows = new Map<string, MailboxPart & { readonly cursor: string }>();

  async put(part: MailboxPart): Promise<void> {
    const cursor = `${part.websocketId}#${part.requestId}#${part.part}`;
    this.#rows.set(`${part.mailbox} ${cursor}`, { ...structuredClone(part), cursor });
  }

  async poll(mailbox: string, after = ""): Promise<readonly (MailboxPart & { readonly cursor: string })[]> {
    return [...this.#rows.values()]
      .filter((row) => row.mailbox === mailbox && row.cursor > after)
      .sort((one, other) => (one.cursor < other.cursor ? -1 : 1))
      .map((row) => structuredClone(row));
  }
}
