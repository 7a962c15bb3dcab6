import { describedOperations } from "../operations/described-operations.ts";
import type { Command } from "../program/command.ts";
import { commonOptions } from "../program/common-options.ts";
import type { Connection } from "../program/context.ts";
import { nounTexts } from "../program/noun-texts.ts";
import { callAny } from "../service/call-any.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Candidate, candidatesFor } from "./candidates.ts";

/** Whoever presses the tabulator does not wait longer. */
const idsMs = 1_000;
const idsMax = 50;

/** One candidate a line, with what it is behind a tabulator. */
export async function complete(
  terminal: Pick<Terminal, "out">,
  commands: readonly Command[],
  connect: () => Promise<Connection>,
  words: readonly string[],
): Promise<void> {
  const idsOf = async (noun: string): Promise<readonly Candidate[]> => {
    const list = describedOperations.find((each) => each.noun === noun && each.verb === "list");
    if (list === undefined) return [];
    try {
      const { client } = await connect();
      const query = list.pages !== undefined ? { limit: idsMax } : {};
      return namesOf(await callAny(client, list.id, { query }, AbortSignal.timeout(idsMs)));
    } catch {
      // Without a key or a service there is nothing to complete, and no place to say so.
      return [];
    }
  };
  const found = await candidatesFor({ commands, commonOptions, nounTexts, idsOf }, words);
  terminal.out(found.map(({ word, text }) => `${word}\t${printable(text)}\n`).join(""));
}

interface Named {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly status?: unknown;
}

function namesOf(body: unknown): readonly Candidate[] {
  const { items = body } = body as { readonly items?: unknown };
  return (Array.isArray(items) ? (items as readonly Named[]) : []).flatMap(({ id, name, status }) =>
    typeof id === "string" ? [{ word: id, text: String(name ?? status ?? "") }] : [],
  );
}
