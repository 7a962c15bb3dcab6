import { Buffer } from "node:buffer";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { openNewFile } from "../../files/new-file.ts";
import { findPictureSupport } from "../../pictures/picture-protocol.ts";
import { pictureText } from "../../pictures/picture-text.ts";
import type { Command } from "../../program/command.ts";
import type { Context } from "../../program/context.ts";
import { printable } from "../../terminal/printable.ts";
import { numberOf } from "./text-input.ts";

export const screenshotCommand: Command = {
  noun: "machines",
  verb: "screenshot",
  summary: "Shows a machine's screen",
  description:
    "The picture is shown in terminals that show pictures (by the protocols of kitty and iTerm2, or as sixels); elsewhere it is written to a file of its own, and the command says which. Through a pipe goes the PNG",
  arguments: [{ name: "machine_id", text: "The machine's id." }],
  options: [
    { flags: "--width <pixels>", text: "The picture's width; it keeps its shape.", preset: "the display's" },
    { flags: "--height <pixels>", text: "The picture's height." },
    { flags: "--settle-ms <number>", text: "Longest wait until the screen is still, in milliseconds." },
    { flags: "--cursor", text: "Draws the pointer in." },
    { flags: "-o, --output <file>", text: "The file to write; - is standard output." },
  ],
  examples: [
    "das machines screenshot MACHINE_ID",
    "das machines screenshot MACHINE_ID --width 800 -o desk.png",
  ],
  operations: ["takeScreenshot"],
  run: async (context, { words: [machine_id = ""], options }) => {
    const { terminal, folder, form, signal } = context;
    const output = options.output as string | undefined;
    const isShown = output === undefined && form === "table";
    const support = isShown ? await findPictureSupport(terminal) : undefined;
    const { client } = await context.connect();
    const given = {
      ...numberOption(options, "width"),
      ...numberOption(options, "height"),
      ...(options.settleMs === undefined ? {} : { settle_ms: numberOf(options.settleMs, "--settle-ms") }),
      ...(options.cursor === true ? { cursor: true } : {}),
    };
    const isFree = given.width === undefined && given.height === undefined;
    const fitted = support?.widthMax !== undefined && isFree ? { width: support.widthMax } : {};
    const query = { ...given, ...fitted };
    const png = await client.call("takeScreenshot", { path: { machine_id }, query, signal });
    if (support !== undefined) {
      terminal.out(await pictureText(support.protocol, png, terminal.columns ?? 80));
    } else if (output === "-" || (isShown && terminal.columns === undefined)) {
      terminal.outBytes(png);
    } else {
      const path = output === undefined ? await storeAnew(context, machine_id, png) : resolve(folder, output);
      if (output !== undefined) await writeFile(path, png);
      tell(context, path, png);
    }
    return undefined;
  },
};

function numberOption<const Name extends "width" | "height">(
  options: Readonly<Record<string, unknown>>,
  name: Name,
): { readonly [Each in Name]?: number } {
  if (options[name] === undefined) return {};
  return { [name]: numberOf(options[name], `--${name}`) } as { readonly [Each in Name]?: number };
}

/** The name has machine and time, and a picture that is there is never replaced. */
async function storeAnew({ terminal, folder }: Context, machineId: string, png: Uint8Array): Promise<string> {
  const time = new Date(terminal.now())
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "-");
  const { path, file } = await openNewFile(folder, `${machineId}-${time}.png`);
  try {
    await file.writeFile(png);
  } finally {
    await file.close();
  }
  return path;
}

function tell({ terminal, form }: Context, path: string, png: Uint8Array): void {
  const view = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  // The header of each PNG begins with the size.
  const [width, height] = [view.readUInt32BE(16), view.readUInt32BE(20)];
  if (form === "table") terminal.out(`${printable(path)} (${width} x ${height})\n`);
  else terminal.out(`${JSON.stringify({ path, width, height, size_bytes: png.byteLength })}\n`);
}
