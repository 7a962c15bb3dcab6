import type { ReadStream, WriteStream } from "node:tty";
import { Cancelled } from "../program/failures.ts";

const enter = new Set(["\r", "\n"]);
const ctrlC = "\u0003";
const ctrlD = "\u0004";
const rubout = new Set(["\u007f", "\b"]);

/** @throws {Cancelled} after ctrl-C, which raw mode does not turn into a signal. */
export async function askSecret(
  question: string,
  input: Pick<ReadStream, "setRawMode" | "on" | "off" | "resume" | "pause" | "setEncoding">,
  output: Pick<WriteStream, "write">,
): Promise<string> {
  output.write(question);
  input.setRawMode(true);
  input.setEncoding("utf8");
  input.resume();
  try {
    return await new Promise<string>((resolve, reject) => {
      let typed = "";
      const onData = (text: string) => {
        for (const character of text) {
          if (character === ctrlC) {
            input.off("data", onData);
            return reject(new Cancelled());
          }
          if (enter.has(character) || character === ctrlD) {
            input.off("data", onData);
            return resolve(typed);
          }
          typed = rubout.has(character) ? typed.slice(0, -1) : typed + character;
        }
      };
      input.on("data", onData);
    });
  } finally {
    input.setRawMode(false);
    input.pause();
    output.write("\n");
  }
}
