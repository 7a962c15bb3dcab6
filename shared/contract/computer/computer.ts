import * as z from "zod";
import { base64Content } from "../fields/base64.ts";
import { queryInt, refuse, Uuid } from "../fields/common.ts";
import { both, given, neither, onlyFirst, refusing } from "../fields/exclusions.ts";
import { queryBoolean } from "../fields/query-values.ts";
import { FileName, text } from "../fields/text.ts";

/** Pixels from the display's top left corner; X11's own range. */
const Coordinate = z
  .int()
  .min(-32_768)
  .max(32_767)
  .describe("Pixels from the display's left (x) or top (y) edge.");
const MouseButton = z.enum(["left", "right", "middle"]);
/** Largest file inside JSON, in bytes. */
export const inlineFileBytesMax = 4_194_304;
/** Largest file through the bucket, in bytes. */
export const fileBytesMax = 104_857_600;

const InlineContent = base64Content(inlineFileBytesMax, "; a larger file goes through createUpload").describe(
  "Base64 of at most 4 MB (4,194,304 bytes).",
);

/** No system takes a null character in a path or a command. */
function withoutNull(charactersMax: number) {
  return text(1, charactersMax)
    .refine((text) => !text.includes("\0"), "a null character is not taken here")
    .meta({ pattern: "^[^\\u0000]*$" });
}

const FilePath = withoutNull(4_096);

/** Of a both-or-neither pair, the error names the missing one. */
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

/** Of a request that acts: the assignment of the run under which a worker does so. */
export const assignmentHeader = "Assignment-Id";

/** Of a screenshot with `settle_ms`: `true` or `false`, on the driver's answer and the API's response. */
export const screenSettledHeader = "X-Screen-Settled";

export const ScreenshotQuery = z.strictObject({
  width: queryInt(1, 4_096).optional().describe("Pixels."),
  height: queryInt(1, 4_096).optional().describe("Pixels."),
  settle_ms: queryInt(0, 5_000)
    .default(0)
    .describe("Milliseconds to wait at most until nothing but a blinking cursor changes."),
  cursor: queryBoolean.default(false).describe("Whether the pointer is drawn in."),
});

export const MoveBody = z.strictObject({ x: Coordinate, y: Coordinate });

export const ClickBody = z
  .strictObject({
    x: Coordinate.optional(),
    y: Coordinate.optional(),
    button: MouseButton.default("left"),
    clicks: z.int().min(1).max(3).default(1),
    down: z.boolean().optional().describe("True presses, false releases, absent clicks."),
  })
  .superRefine(requireBoth)
  .meta(bothOrNeither);

export const DragBody = z.strictObject({
  start_x: Coordinate,
  start_y: Coordinate,
  to_x: Coordinate,
  to_y: Coordinate,
  duration: z.number().min(0).max(5).optional().describe("Seconds."),
  button: MouseButton.default("left"),
});

export const ScrollBody = z
  .strictObject({
    direction: z.enum(["up", "down", "left", "right"]),
    amount: z.int().min(0).max(1_000).describe("Wheel clicks; 0 does nothing."),
    x: Coordinate.optional(),
    y: Coordinate.optional(),
  })
  .superRefine(requireBoth)
  .meta(bothOrNeither);

export const TypeBody = z.strictObject({ text: text(1, 5_000) });

const keyGroupsMax = 64;
const keyGroup = "[A-Za-z0-9_]+(\\+[A-Za-z0-9_]+)*";

/** Groups separated by blanks, keys of a group by `+`: `ctrl+a Delete`. */
export const KeyBody = z.strictObject({
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
    .meta({ pattern: `^\\s*${keyGroup}(\\s+${keyGroup}){0,${keyGroupsMax - 1}}\\s*$` }),
  down: z.boolean().optional().describe("True presses, false releases, absent does both."),
});

/** `text` names the field of the response that gets the clipboard's content. */
export const CopyToClipboardBody = z.strictObject({
  text: text(1, 255).describe("Name of the key in the response."),
});

/** Longest that openProgram waits for the program's window and a still screen, in milliseconds. */
export const programOpenMsMax = 12_000;

export const OpenProgramBody = z.strictObject({
  program: text(1, 255).describe("One of the machine's `programs`. It is a name, never a command."),
  if_open: z
    .enum(["use", "restart"])
    .default("use")
    .describe(
      "Of a program that is open already: `use` brings its window to the front, `restart` closes it, whatever was not saved there, and starts it anew.",
    ),
});

export const ListFilesQuery = z.strictObject({
  path: FilePath.default(".").describe("Folder, relative to the driver's root."),
});

export const ReadFileQuery = z.strictObject({
  path: FilePath.describe("File, relative to the driver's root."),
  as: z
    .enum(["inline", "url"])
    .default("inline")
    .describe("`inline` returns the content in base64, up to 4 MB; `url` a link, up to 100 MB."),
});

export const CreateUploadBody = z.strictObject({
  filename: FileName,
  size: z.int().min(0).max(fileBytesMax).describe("Bytes; exactly this many must be put."),
});

export const WriteFileBody = z
  .strictObject({
    path: FilePath,
    content: InlineContent.optional(),
    upload_id: Uuid.optional().describe("Of `createUpload`; instead of `content`."),
    mode: z.enum(["write", "append"]).default("write"),
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
  .meta(refusing(both(given("content"), given("upload_id")), neither(given("content"), given("upload_id"))));

export const ExecBody = z.strictObject({
  command: withoutNull(50_000),
  working_directory: FilePath.optional(),
  timeout: z.number().min(0.1).max(20).default(15).describe("Seconds."),
});

export const Dimensions = z.object({ width: z.int().min(1), height: z.int().min(1) });
export const Position = z.object({ x: z.int(), y: z.int() });
export const ActionDone = z.object({});
/** Passed through unchanged: a zod record drops the name `__proto__`, which `text` may be. */
export const Clipboard = z
  .custom<Readonly<Record<string, string>>>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((text) => typeof text === "string"),
  )
  .meta({ wire: { type: "object", additionalProperties: { type: "string" } } });
export const ProgramOpened = z.object({
  was_open: z.boolean().describe("Whether it was open before."),
  is_shown: z
    .boolean()
    .describe(
      "Whether its window is there. False of a program that takes longer to start than is waited for.",
    ),
});
export const FileItem = z.object({
  name: z.string(),
  path: z.string(),
  is_dir: z.boolean(),
  size: z.int().min(0).describe("Bytes."),
  modified: z.iso.datetime({ offset: true }),
});
export const FileList = z.object({ path: z.string(), items: z.array(FileItem) });
const FileSize = z.int().min(0).describe("Bytes.");
const LifetimeSeconds = z.int().describe("Seconds for which the address is good.");
export const FileContent = z.object({
  path: z.string(),
  content: z.base64().describe("Base64."),
  size: FileSize,
});
export const FileUrl = z.object({
  path: z.string(),
  size: FileSize,
  url: z.url(),
  expires_in: LifetimeSeconds,
});
export const FileResponse = z.union([FileContent, FileUrl]);
export const FileWritten = z.object({
  path: z.string(),
  size: FileSize,
  modified: z.iso.datetime({ offset: true }),
});
export const UploadCreated = z.object({
  upload_id: z.uuid(),
  url: z.url(),
  headers: z.record(z.string(), z.string()).describe("To be sent with the PUT exactly as given."),
  expires_in: LifetimeSeconds,
});
export const ExecResult = z.object({
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.int().nullable().describe("Null for a command that a signal or the time-out ended."),
  timeout_reached: z.boolean(),
});
