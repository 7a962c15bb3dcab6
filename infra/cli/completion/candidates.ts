import type { Command, CommandOption } from "../program/command.ts";

/** `text` is shown beside the word by shells that can. */
export interface Candidate {
  readonly word: string;
  readonly text: string;
}

export interface CompletionParts {
  readonly commands: readonly Command[];
  readonly commonOptions: readonly CommandOption[];
  readonly nounTexts: Readonly<Record<string, string>>;
  /** Ids of the resources of a noun, with their names; none where that would take too long. */
  readonly idsOf: (noun: string) => Promise<readonly Candidate[]>;
}

/** @param words are those after the program's name; the last is being typed, and may be empty. */
export async function candidatesFor(
  parts: CompletionParts,
  words: readonly string[],
): Promise<readonly Candidate[]> {
  const typed = words.at(-1) ?? "";
  const found = await possible(parts, words.slice(0, -1), typed);
  // A shell's own characters in a word would be read as such.
  return found.filter(({ word }) => word.startsWith(typed) && /^[\w.:@-]+$/.test(word));
}

async function possible(
  { commands, commonOptions, nounTexts, idsOf }: CompletionParts,
  before: readonly string[],
  typed: string,
): Promise<readonly Candidate[]> {
  const command = commands.find(({ noun, verb }) => startsWith(before, noun === "" ? [verb] : [noun, verb]));
  const options = [...(command?.options ?? []), ...commonOptions].filter(({ isHidden }) => isHidden !== true);
  const preceding = options.find((option) => takesValue(option) && longFlag(option) === before.at(-1));
  if (preceding !== undefined) return await valuesOf(preceding, commands, idsOf);
  if (typed.startsWith("-")) return options.map((option) => ({ word: longFlag(option), text: option.text }));
  if (command === undefined) return before.length > 1 ? [] : firstWords(commands, nounTexts, before[0]);
  const place = wordsIn(before, options).length - (command.noun === "" ? 1 : 2);
  const argument = command.arguments?.[place];
  if (argument === undefined) return [];
  if (argument.values !== undefined) return argument.values.map((word) => ({ word, text: "" }));
  return place === 0 && argument.name.endsWith("_id") ? await idsOf(command.noun) : [];
}

function firstWords(
  commands: readonly Command[],
  nounTexts: CompletionParts["nounTexts"],
  noun: string | undefined,
): readonly Candidate[] {
  const own = commands.filter((each) => each.noun === (noun ?? ""));
  const verbs = own.map(({ verb, summary }) => ({ word: verb, text: summary }));
  if (noun !== undefined) return verbs;
  const nouns = [...new Set(commands.map((each) => each.noun))].filter((each) => each !== "");
  return [...verbs, ...nouns.map((each) => ({ word: each, text: nounTexts[each] ?? "" }))];
}

/** `--workflow-id` and `--pool-ids` take ids of `workflows` and `pools`. */
async function valuesOf(
  { flags, hints }: CommandOption,
  commands: readonly Command[],
  idsOf: CompletionParts["idsOf"],
): Promise<readonly Candidate[]> {
  if (hints !== undefined) return hints.map((word) => ({ word, text: "" }));
  const stem = flags.match(/--([\w-]+)-ids?\b/)?.[1];
  const noun = stem?.endsWith("y") === true ? `${stem.slice(0, -1)}ies` : `${stem}s`;
  return commands.some((each) => each.noun === noun) ? await idsOf(noun) : [];
}

function startsWith(words: readonly string[], first: readonly string[]): boolean {
  return first.every((word, at) => words[at] === word);
}

function takesValue({ flags }: CommandOption): boolean {
  return /[<[]/.test(flags);
}

function longFlag({ flags }: CommandOption): string {
  return flags.match(/--[\w-]+/)?.[0] ?? flags;
}

/** Those that are neither options nor their values. */
function wordsIn(before: readonly string[], options: readonly CommandOption[]): readonly string[] {
  const taking = new Set(options.filter(takesValue).map(longFlag));
  return before.filter((word, at) => !word.startsWith("-") && !taking.has(before[at - 1] ?? ""));
}
