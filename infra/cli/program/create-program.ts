import { Argument, Option, Command as Parser } from "commander";
import type { Command, CommandOption } from "./command.ts";
import { commonOptions } from "./common-options.ts";
import { UsageError } from "./failures.ts";
import { unlistedNouns } from "./noun-texts.ts";

/** Called with the command that the line names. */
type RunCommand = (
  command: Command,
  given: {
    readonly words: readonly (string | undefined)[];
    readonly options: Readonly<Record<string, unknown>>;
  },
) => Promise<void>;

export interface ProgramParts {
  readonly commands: readonly Command[];
  readonly nounTexts: Readonly<Record<string, string>>;
  readonly run: RunCommand;
  readonly columns: number | undefined;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/**
 * Nouns that the line does not name have no commands here, since making all would take longer than most commands need.
 *
 * @param line is what was given after the program's name.
 */
export function createProgram(parts: ProgramParts, line: readonly string[]): Parser {
  const { commands, nounTexts } = parts;
  const program = configured(new Parser("das"), parts)
    .usage("[options] <noun> <verb> …")
    .description("The Desktop Automation Service from a terminal.")
    .addHelpText("after", firstHelp);
  for (const option of commonOptions) program.addOption(optionOf(option));
  const named = new Set(line);
  const nouns = [...new Set(commands.map(({ noun }) => noun))].filter((noun) => noun !== "");
  for (const command of commands.filter(({ noun }) => noun === "")) addCommand(program, command, parts);
  for (const noun of nouns.toSorted()) {
    const its = commands.filter((command) => command.noun === noun);
    const verbs = its.map(({ verb }) => verb).join(", ");
    const parser = configured(new Parser(noun), parts)
      .summary(nounTexts[noun] ?? verbs)
      .description(nounTexts[noun] ?? "");
    // Without any command of its own, commander would run the noun itself.
    for (const command of named.has(noun) ? its : its.slice(0, 1)) addCommand(parser, command, parts);
    parser.helpCommand(false);
    program.addCommand(parser, { hidden: unlistedNouns.has(noun) });
  }
  return program.helpCommand("help [noun] [verb]", "Shows the help of a command");
}

const firstHelp = `
Example:
  das login --url https://api.example.com
  das machines list
  das runs list --status running --json

"das NOUN --help" lists its verbs, "das NOUN VERB --help" the options of one, with an example.
Codes: 0 done, 1 the run failed, 2 usage, 3 refused by the service, 4 the service cannot be reached.
`;

function configured(parser: Parser, { columns, out, err }: ProgramParts): Parser {
  return parser
    .exitOverride()
    .helpOption("-h, --help", "Shows this help.")
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true, helpWidth: columns ?? 100 })
    .configureOutput({
      writeOut: out,
      writeErr: err,
      getOutHelpWidth: () => columns ?? 100,
      // The caller writes the sentence: all errors look alike.
      outputError: () => {},
    });
}

function addCommand(parent: Parser, command: Command, parts: ProgramParts): void {
  const { verb, summary, description, arguments: words = [], options = [], examples } = command;
  const parser = configured(new Parser(verb), parts)
    .summary(summary)
    .description(description === undefined ? `${summary}.` : `${summary}.\n${description}.`)
    .addHelpText("after", `\nExample:\n${examples.map((line) => `  ${line}\n`).join("")}`)
    .allowExcessArguments(false);
  for (const { name, text, isOptional, isVariadic } of words) {
    const inner = isVariadic === true ? `${name}...` : name;
    parser.addArgument(new Argument(isOptional === true ? `[${inner}]` : `<${inner}>`, text));
  }
  for (const option of options) parser.addOption(optionOf(option));
  parser.action(async (...args: readonly unknown[]) => {
    const given = args.slice(0, words.length).flat() as (string | undefined)[];
    // An empty variable of a script would name another resource, such as the whole list.
    if (given.includes("")) throw new UsageError("an argument is empty");
    await parts.run(command, { words: given, options: parser.optsWithGlobals() });
  });
  parent.addCommand(parser);
}

function optionOf({
  flags,
  text,
  choices,
  preset,
  isRepeatable,
  isRequired,
  isHidden,
}: CommandOption): Option {
  const option = new Option(flags, preset === undefined ? text : `${text} (default: ${preset})`);
  if (choices !== undefined) option.choices([...choices]);
  if (isRepeatable === true) {
    option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
  }
  if (isRequired === true) option.makeOptionMandatory();
  if (isHidden === true) option.hideHelp();
  return option;
}
