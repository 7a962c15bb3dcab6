import * as z from "zod";
import { fileBytesMax, fileReadForms, fileWriteModes, ifOpenChoices } from "../../vocabulary/drivers.ts";
import { base64Content } from "../fields/base64.ts";
import { queryInt, refuse, Uuid } from "../fields/common.ts";
import { example } from "../fields/example.ts";
import { both, given, neither, onlyFirst, refusing } from "../fields/exclusions.ts";
import { queryBoolean } from "../fields/query-values.ts";
import { FileName, text } from "../fields/text.ts";

/** X11 has this range of pixels. */
const Coordinate = z.int().min(-32_768).max(32_767);
const MouseButton = z.enum(["left", "right", "middle"]);
export const inlineFileBytesMax = 4_194_304;

const InlineContent = base64Content(inlineFileBytesMax, "; a larger file goes through createUpload");

/** No system takes a null character in a path or a command. */
function withoutNull(charactersMax: number) {
  return text(1, charactersMax)
    .refine((text) => !text.includes("\0"), "a null character is not taken here")
    .meta({ pattern: "^[^\\u0000]*$" });
}

const FilePath = withoutNull(4_096);

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

export const bothOrNeither = refusing(onlyFirst(given("x"), given("y")), onlyFirst(given("y"), given("x")));

export const assignmentHeader = "Assignment-Id";

/** The driver's response and the API's have the header, `true` or `false`, with `settle_ms`. */
export const screenSettledHeader = "X-Screen-Settled";

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
});

export const MoveBody = z
  .strictObject({
    x: Coordinate.describe("Pixels from the left edge."),
    y: Coordinate.describe("Pixels from the top edge."),
  })
  .describe("The place on the display to move the pointer to.");

export const ClickBody = z
  .strictObject({
    x: Coordinate.optional().describe("Pixels from the left edge. Default: the pointer's."),
    y: Coordinate.optional().describe("Pixels from the top edge. Default: the pointer's."),
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
    x: Coordinate.optional().describe("Pixels from the left edge. Default: the pointer's."),
    y: Coordinate.optional().describe("Pixels from the top edge. Default: the pointer's."),
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

export const ListFilesQuery = z.strictObject({
  path: FilePath.default(".").describe("The folder on the desktop, relative to the driver's root."),
});

export const ReadFileQuery = z.strictObject({
  path: example(FilePath, "notes.txt").describe("The file's path from the driver's root."),
  as: z
    .enum(fileReadForms)
    .default("inline")
    .describe(
      "The form of the response: `inline` returns the content in base64, up to 4 MB, `url` a link, up to 100 MB.",
    ),
});

export const CreateUploadBody = z
  .strictObject({
    filename: FileName.describe("The file's name, without a path."),
    size: z
      .int()
      .min(0)
      .max(fileBytesMax)
      .describe("Size of the file in bytes; exactly this many must be put."),
  })
  .describe("A file to be put to a presigned URL.");

export const WriteFileBody = z
  .strictObject({
    path: FilePath.describe("The file to write on the desktop, relative to the driver's root."),
    content: InlineContent.optional().describe(
      "The file's content in base64, at most 4 MB (4,194,304 bytes); in place of `upload_id`.",
    ),
    upload_id: Uuid.optional().describe(
      "The id that `createUpload` returned, once the file has been put; in place of `content`.",
    ),
    mode: z
      .enum(fileWriteModes)
      .default("write")
      .describe("The effect on a file that exists: `write` replaces it, `append` adds to it."),
  })
  .superRefine((body, context) => {
    if ((body.content === undefined) !== (body.upload_id === undefined)) return;
    const neither = body.content === undefined;
    refuse(context, {
      type: neither ? "missing" : "value_error",
      message: neither
        ? "Field required: content or upload_id"
        : "Value error, give content or upload_id, not both",
      path: ["content"],
    });
  })
  .meta(refusing(both(given("content"), given("upload_id")), neither(given("content"), given("upload_id"))))
  .describe("A file to write: its content, or a file that has been uploaded.");

export const ExecBody = z
  .strictObject({
    command: withoutNull(50_000).describe("The command line for the desktop's shell."),
    working_directory: FilePath.optional().describe("The command's folder. Default: the driver's root."),
    timeout: z
      .number()
      .min(0.1)
      .max(20)
      .default(15)
      .describe("Time after which the command is ended, in seconds."),
  })
  .describe("A command for the desktop's shell.");

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
export const Clipboard = z
  .custom<Readonly<Record<string, string>>>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((text) => typeof text === "string"),
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
export const FileItem = z
  .object({
    name: example(z.string(), "invoice.pdf").describe("The name of the file or folder."),
    path: example(z.string(), "invoices/invoice.pdf").describe(
      "The path of the file or folder, relative to the driver's root.",
    ),
    is_dir: z.boolean().describe("Whether it is a folder."),
    size: z.int().min(0).describe("Size of the file in bytes; of a folder as the desktop's system has it."),
    modified: z.iso.datetime({ offset: true }).describe("Time at which the file or folder was last changed."),
  })
  .describe("A file or folder on the desktop.");
export const FileList = z
  .object({
    path: example(z.string(), "invoices").describe("The folder's path, relative to the driver's root."),
    items: z.array(FileItem).describe("The files and folders in the folder."),
  })
  .describe("The content of a folder on the desktop.");
const FileSize = z.int().min(0).describe("Size of the file in bytes.");
const LifetimeSeconds = example(z.int(), 300).describe("Time for which `url` can be used, in seconds.");
export const FileContent = z
  .object({
    path: example(z.string(), "notes.txt").describe("The file's path, relative to the driver's root."),
    content: z.base64().describe("The file's content in base64."),
    size: FileSize,
  })
  .describe("A file on the desktop, with its content.");
export const FileUrl = z
  .object({
    path: example(z.string(), "notes.txt").describe("The file's path, relative to the driver's root."),
    size: FileSize,
    url: z.url().describe("A presigned URL to download the file from."),
    expires_in: LifetimeSeconds,
  })
  .describe("A file on the desktop, with a URL to download it from.");
export const FileResponse = z
  .union([FileContent, FileUrl])
  .describe("A file on the desktop, with its content or with a URL to download it from.");
export const FileWritten = z
  .object({
    path: example(z.string(), "notes.txt").describe("The file's path, relative to the driver's root."),
    size: FileSize,
    modified: z.iso.datetime({ offset: true }).describe("Time at which the file was last changed: now."),
  })
  .describe("A file on the desktop that has been written.");
export const UploadCreated = z
  .object({
    upload_id: z.uuid().describe("The id of the upload, for `writeFile` once the file has been put."),
    url: z.url().describe("A presigned URL to put the file to."),
    headers: example(z.record(z.string(), z.string()), {
      "content-type": "application/octet-stream",
    }).describe("The headers to send with the PUT, exactly as given."),
    expires_in: LifetimeSeconds,
  })
  .describe("A presigned request to put a file with.");
export const ExecResult = z
  .object({
    stdout: example(z.string(), "hello\n").describe(
      "The text that the command wrote to its standard output.",
    ),
    stderr: example(z.string(), "").describe("The text that the command wrote to its standard error."),
    exit_code: example(z.int().nullable(), 0).describe(
      "The command's exit code; null if a signal or the time-out ended it.",
    ),
    timeout_reached: z.boolean().describe("Whether the command was ended because it took too long."),
  })
  .describe("The result of a command.");
