import * as z from "zod";
import { copiedBytesMax, ifOpenChoices } from "../../vocabulary/drivers.ts";
import { inputNameCharactersMax } from "../../vocabulary/recordings.ts";
import { queryInt, refuse } from "../fields/common.ts";
import { example } from "../fields/example.ts";
import { has, onlyFirst, refusing } from "../fields/exclusions.ts";
import { queryBoolean } from "../fields/query-values.ts";
import { text } from "../fields/text.ts";

/** X11 has this range of pixels. */
const Coordinate = z.int().min(-32_768).max(32_767);
const MouseButton = z.enum(["left", "right", "middle"]);
function requireBoth(
  body: { x?: number | undefined; y?: number | undefined },
  context: z.core.$RefinementCtx,
): void {
  if ((body.x === undefined) === (body.y === undefined)) return;
  refuse(context, {
    type: "missing",
    message: "Field required: x and y are given together or not at all",
    path: [body.x === undefined ? "x" : "y"],
  });
}

export const bothOrNeither = refusing(onlyFirst(has("x"), has("y")), onlyFirst(has("y"), has("x")));

export const assignmentHeader = "Assignment-Id";

/** The driver's response and the API's have the header, `true` or `false`, with `settle_ms`. */
export const screenSettledHeader = "X-Screen-Settled";

/** With settling and the picture's way it stays below the 25 s of a call. */
export const screenshotWaitMsMax = 10_000;

export const ScreenshotQuery = z.strictObject({
  width: queryInt(1, 4_096)
    .optional()
    .describe("The picture's width in pixels; given alone, it keeps the shape. Default: the display's."),
  height: queryInt(1, 4_096)
    .optional()
    .describe("The picture's height in pixels; given alone, it keeps the shape. Default: the display's."),
  settle_ms: queryInt(0, 5_000)
    .default(0)
    .describe("Longest wait until nothing but a blinking cursor changes, in milliseconds."),
  cursor: queryBoolean.default(false).describe("Whether the pointer is drawn into the picture."),
  wait_ms: queryInt(0, screenshotWaitMsMax)
    .default(0)
    .describe(
      "Longest wait for a picture that differs from those in `If-None-Match`, in milliseconds; without that header nothing is waited for.",
    ),
});

export const MoveBody = z
  .strictObject({
    x: Coordinate.describe("Pixels from the left edge."),
    y: Coordinate.describe("Pixels from the top edge."),
  })
  .describe("The place on the display to move the pointer to.");

const atPointer = {
  x: Coordinate.optional().describe("Pixels from the left edge. Default: the pointer's."),
  y: Coordinate.optional().describe("Pixels from the top edge. Default: the pointer's."),
};

export const ClickBody = z
  .strictObject({
    ...atPointer,
    button: MouseButton.default("left").describe("The mouse button."),
    clicks: z.int().min(1).max(3).default(1).describe("Number of clicks."),
    down: z.boolean().optional().describe("True only presses, false only releases. Default: both."),
  })
  .superRefine(requireBoth)
  .meta(bothOrNeither)
  .describe("The place on the display and the kind of a click; x and y are given together or not at all.");

export const DragBody = z
  .strictObject({
    start_x: Coordinate.describe("Pixels from the left edge."),
    start_y: Coordinate.describe("Pixels from the top edge."),
    to_x: Coordinate.describe("Pixels from the left edge."),
    to_y: Coordinate.describe("Pixels from the top edge."),
    duration: z.number().min(0).max(5).optional().describe("Time in seconds. Default: the driver's own."),
    button: MouseButton.default("left").describe("The mouse button."),
  })
  .describe("The start and the end, on the display, of a drag with a button of the mouse.");

export const ScrollBody = z
  .strictObject({
    direction: z.enum(["up", "down", "left", "right"]).describe("`down` shows what is further down."),
    amount: z.int().min(0).max(1_000).describe("Clicks of the wheel."),
    ...atPointer,
  })
  .superRefine(requireBoth)
  .meta(bothOrNeither)
  .describe(
    "The place on the display, the direction and the amount of a scroll; x and y are given together or not at all.",
  );

export const TypeBody = z
  .strictObject({
    text: example(text(1, 5_000), "Miller").describe("The text to type."),
  })
  .describe("A text to type.");

/** The name is that of an input in the texts of a trajectory. */
export const asInput = text(1, inputNameCharactersMax)
  .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/)
  .optional()
  .describe(
    "The name of the input that this is a value of, while the caller records the machine: the trajectory has `{name}` in its place. It is refused otherwise.",
  );

export const TypeTextBody = TypeBody.extend({ as_input: example(asInput, "customer") }).describe(
  "A text to type, and its name in a recording.",
);

const keyGroupsMax = 64;
const keyGroup = "[A-Za-z0-9_]+(\\+[A-Za-z0-9_]+)*";

export const KeyBody = z
  .strictObject({
    text: z
      .string()
      .min(1)
      .max(2_000)
      .refine(
        (text) =>
          text
            .trim()
            .split(/\s+/)
            .every((group) => group.split("+").every((key) => /^[A-Za-z0-9_]+$/.test(key))),
        "keys are names such as a, Return or ctrl, joined with + inside a group, groups separated by blanks",
      )
      .refine(
        (text) => text.trim().split(/\s+/).length <= keyGroupsMax,
        `at most ${keyGroupsMax} groups of keys`,
      )
      .describe("Groups of keys, separated by blanks; `+` joins a group's: `ctrl+a Delete`.")
      .meta({
        examples: ["ctrl+a Delete"],
        says: [`At most ${keyGroupsMax} groups.`],
        pattern: `^\\s*${keyGroup}(\\s+${keyGroup}){0,${keyGroupsMax - 1}}\\s*$`,
      }),
    down: z.boolean().optional().describe("True only presses, false only releases. Default: both."),
  })
  .describe("Keys to press, in groups.");

export const CopyToClipboardBody = z
  .strictObject({
    text: example(text(1, 255), "number").describe(
      "The name of the response's field that gets the clipboard's content.",
    ),
  })
  .describe("The name under which the clipboard's content is returned.");

export const programOpenMsMax = 12_000;

export const OpenProgramBody = z
  .strictObject({
    program: example(text(1, 255), "Orders").describe("One of the machine's `programs`, never a command."),
    if_open: z
      .enum(ifOpenChoices)
      .default("use")
      .describe(
        "`use` shows an open program's window, `restart` closes it, unsaved work too, and starts it anew.",
      ),
  })
  .describe("A program of the machine's own list, by its name.");

export const Dimensions = z
  .object({
    width: example(z.int().min(1), 1_920).describe("The screen's width in pixels."),
    height: example(z.int().min(1), 1_080).describe("The screen's height in pixels."),
  })
  .describe("Size of the display, in pixels.");
export const Position = z
  .object({
    x: example(z.int(), 640).describe("Distance of the pointer from the display's left edge, in pixels."),
    y: example(z.int(), 480).describe("Distance of the pointer from the display's top edge, in pixels."),
  })
  .describe("The place of the pointer.");
export const ActionDone = z.object({}).describe("An empty object: the desktop has performed the action.");
/** A zod record would drop the name `__proto__`, which `text` may be. */
function isCopyable(text: string): boolean {
  return text.length <= copiedBytesMax && new TextEncoder().encode(text).byteLength <= copiedBytesMax;
}

export const Clipboard = z
  .custom<Readonly<Record<string, string>>>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((text) => typeof text === "string" && isCopyable(text)),
  )
  .meta({ wire: { type: "object", additionalProperties: { type: "string" } } });
export const ProgramOpened = z
  .object({
    was_open: z.boolean().describe("Whether the program was open before."),
    is_shown: z
      .boolean()
      .describe(
        "Whether the program's window is there; false for a program that takes longer to start than the request waits.",
      ),
  })
  .describe("The result of opening a program.");
