import type { MailboxPart } from "../domain/tunnel/mailbox.ts";

export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly uploaded: boolean;
  readonly parts: number;
}

/** Returns whether the receiving function ends the call; of several parts it knows only its own, of an upload no size. */
export function isSettledOnArrival({ parts, uploaded }: Pick<MailboxPart, "parts" | "uploaded">): boolean {
  return parts === 1 && !uploaded;
}

/** The parts come in any order, and may repeat. */
export class AnswerAssembly {
  readonly #parts = new Map<number, MailboxPart>();

  add(part: MailboxPart): void {
    this.#parts.set(part.part, part);
  }

  /** Returns undefined while parts are missing. Part 0 has their number; parts that disagree do not count. */
  whole(): WholeAnswer | undefined {
    const first = this.#parts.get(0);
    if (!first) return undefined;
    const bodies: Uint8Array[] = [];
    for (let number = 0; number < first.parts; number++) {
      const part = this.#parts.get(number);
      if (part?.parts !== first.parts) return undefined;
      if (part.body) bodies.push(part.body);
    }
    return {
      status: first.status,
      headers: first.headers ?? {},
      body: Buffer.concat(bodies),
      uploaded: first.uploaded,
      parts: first.parts,
    };
  }
}
