import * as z from "zod";
import { filesBytesMax } from "../../vocabulary/files.ts";
import { base64Bytes, base64Characters } from "../fields/base64.ts";
import { refuseValue } from "../fields/common.ts";
import { FileName, name } from "../fields/text.ts";

const filesMax = 20;

export const FileInput = z
  .strictObject({
    filename: FileName.describe("The file's name, without a path."),
    content: z.base64().max(base64Characters(filesBytesMax)).describe("The file's content in base64."),
    target_path: name(1, 1_024)
      .optional()
      .describe(
        "The file's place on the desktop before the first action; with a slash at its end, the folder. Default ~/Transfers/<filename>. In a worker's run the worker puts it there.",
      ),
    cleanup_imports_after_run: z
      .boolean()
      .default(false)
      .describe(
        "Whether the file is removed from the desktop after the last action; in a worker's run the worker removes it.",
      ),
  })
  .describe("A file that is passed to a run.");

export const FileInputs = z
  .array(FileInput)
  .max(filesMax)
  .superRefine(requireFilesFit)
  .meta({ says: ["All files together have at most 4 MB (4,194,304 bytes) before base64."] })
  .describe("Files that are passed to a run.");
export type FileInputs = z.infer<typeof FileInputs>;

export function bytesOf(files: readonly { readonly content: string }[]): number {
  return files.reduce((sum, { content }) => sum + base64Bytes(content), 0);
}

function requireFilesFit(files: readonly { content: string }[], context: z.core.$RefinementCtx): void {
  const bytes = bytesOf(files);
  if (bytes <= filesBytesMax) return;
  const error = `all files together at most ${filesBytesMax} bytes, not ${bytes}`;
  refuseValue(context, error);
}
