import * as z from "zod";
import { fileBytesMax, fileReadForms, fileWriteModes, inlineFileBytesMax } from "../../vocabulary/drivers.ts";
import { base64Content } from "../fields/base64.ts";
import { refuse, Uuid } from "../fields/common.ts";
import { example } from "../fields/example.ts";
import { both, has, neither, refusing } from "../fields/exclusions.ts";
import { FileName, text } from "../fields/text.ts";
import { asInput } from "./computer.ts";

const InlineContent = base64Content(inlineFileBytesMax, "; a larger file goes through createUpload");

/** No system takes a null character in a path or a command. */
function withoutNull(charactersMax: number) {
  return text(1, charactersMax)
    .refine((text) => !text.includes("\0"), "a null character is not taken here")
    .meta({ pattern: "^[^\\u0000]*$" });
}

const FilePath = withoutNull(4_096);

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
    content: InlineContent.optional().describe("The file's content in base64, in place of `upload_id`."),
    upload_id: Uuid.optional().describe(
      "The id that `createUpload` returned, once the file has been put; in place of `content`.",
    ),
    mode: z
      .enum(fileWriteModes)
      .default("write")
      .describe("The effect on a file that exists: `write` replaces it, `append` adds to it."),
    as_input: asInput,
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
  .meta(refusing(both(has("content"), has("upload_id")), neither(has("content"), has("upload_id"))))
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
