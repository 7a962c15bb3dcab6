import type { Command, CommandArgument } from "../../program/command.ts";
import { numberOf, placeOf, stdinHint, textOf } from "./text-input.ts";

const machine: CommandArgument = { name: "machine_id", text: "The machine's id." };
const x: CommandArgument = { name: "x", text: "Pixels from the left edge." };
const y: CommandArgument = { name: "y", text: "Pixels from the top edge." };
const buttonOption = {
  flags: "--button <name>",
  text: "The mouse button.",
  choices: ["left", "right", "middle"],
  preset: "left",
} as const;
/** The service takes as many characters in one call. */
const textCharactersMax = 5_000;

type Button = "left" | "right" | "middle";

function buttonOf(options: Readonly<Record<string, unknown>>): { readonly button?: Button } {
  return options.button === undefined ? {} : { button: options.button as Button };
}

export const typeCommand: Command = {
  noun: "machines",
  verb: "type",
  summary: "Types a text on a machine",
  description: "A text above 5,000 characters is typed in parts",
  arguments: [machine, { name: "text", text: `The text; ${stdinHint}.`, isOptional: true }],
  options: [{ flags: "--as-input <name>", text: "While you record: the input that the text is a value of." }],
  examples: ["das machines type MACHINE_ID Miller", "das machines type MACHINE_ID < password.txt"],
  operations: ["typeText"],
  run: async (context, { words: [machine_id = "", given], options }) => {
    const text = await textOf(context, given, "text");
    const { client } = await context.connect();
    const asInput = options.asInput === undefined ? {} : { as_input: String(options.asInput) };
    const characters = [...text];
    for (let at = 0; at < characters.length; at += textCharactersMax) {
      const body = { text: characters.slice(at, at + textCharactersMax).join(""), ...asInput };
      await client.call("typeText", { path: { machine_id }, body, signal: context.signal });
    }
    return undefined;
  },
};

export const keyCommand: Command = {
  noun: "machines",
  verb: "key",
  summary: "Presses keys on a machine",
  arguments: [
    machine,
    { name: "keys", text: "Keys such as Return, or ctrl+a, one after another.", isVariadic: true },
  ],
  options: [
    { flags: "--down", text: "Only presses the keys." },
    { flags: "--up", text: "Only releases the keys." },
  ],
  examples: ["das machines key MACHINE_ID ctrl+a Delete"],
  operations: ["pressKeys"],
  run: async (context, { words: [machine_id = "", ...keys], options }) => {
    const { client } = await context.connect();
    const down = options.down === true ? { down: true } : options.up === true ? { down: false } : {};
    const body = { text: keys.join(" "), ...down };
    await client.call("pressKeys", { path: { machine_id }, body, signal: context.signal });
    return undefined;
  },
};

export const clickCommand: Command = {
  noun: "machines",
  verb: "click",
  summary: "Clicks on a machine's display",
  description: "Without x and y the click is where the pointer is",
  arguments: [machine, { ...x, isOptional: true }, { ...y, isOptional: true }],
  options: [buttonOption, { flags: "--clicks <number>", text: "2 is a double click.", preset: "1" }],
  examples: ["das machines click MACHINE_ID 640 400", "das machines click MACHINE_ID 640 400 --clicks 2"],
  operations: ["clickMouse"],
  run: async (context, { words: [machine_id = "", left, top], options }) => {
    const clicks = options.clicks === undefined ? {} : { clicks: numberOf(options.clicks, "--clicks") };
    const body = { ...placeOf(left, top), ...buttonOf(options), ...clicks };
    const { client } = await context.connect();
    await client.call("clickMouse", { path: { machine_id }, body, signal: context.signal });
    return undefined;
  },
};

export const scrollCommand: Command = {
  noun: "machines",
  verb: "scroll",
  summary: "Turns the wheel of a machine's mouse",
  arguments: [
    machine,
    { name: "direction", text: "up, down, left or right." },
    { name: "amount", text: "Clicks of the wheel.", isOptional: true },
    { ...x, isOptional: true },
    { ...y, isOptional: true },
  ],
  examples: ["das machines scroll MACHINE_ID down 5", "das machines scroll MACHINE_ID down 5 640 400"],
  operations: ["scrollMouse"],
  run: async (context, { words: [machine_id = "", direction, amount = "3", left, top] }) => {
    const place = placeOf(left, top);
    const body = { direction: direction as "up", amount: numberOf(amount, "amount"), ...place };
    const { client } = await context.connect();
    await client.call("scrollMouse", { path: { machine_id }, body, signal: context.signal });
    return undefined;
  },
};

export const dragCommand: Command = {
  noun: "machines",
  verb: "drag",
  summary: "Drags with a button of a machine's mouse",
  arguments: [
    machine,
    x,
    y,
    { name: "to_x", text: "The end's pixels from the left edge." },
    { name: "to_y", text: "The end's pixels from the top edge." },
  ],
  options: [buttonOption, { flags: "--duration <seconds>", text: "Time that the drag takes." }],
  examples: ["das machines drag MACHINE_ID 100 100 400 300"],
  operations: ["dragMouse"],
  run: async (context, { words: [machine_id = "", ...places], options }) => {
    const [start_x = 0, start_y = 0, to_x = 0, to_y = 0] = places.map((place) => numberOf(place, "a place"));
    const { duration } = options;
    const time = duration === undefined ? {} : { duration: numberOf(duration, "--duration") };
    const body = { start_x, start_y, to_x, to_y, ...buttonOf(options), ...time };
    const { client } = await context.connect();
    await client.call("dragMouse", { path: { machine_id }, body, signal: context.signal });
    return undefined;
  },
};
