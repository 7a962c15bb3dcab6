import type { FileInputs } from "../../contract/run/file-inputs.ts";
import type { InputFile } from "../../domain/run/create/input-files.ts";

export function inputFiles(files: FileInputs | undefined): readonly InputFile[] {
  return (files ?? []).map((file) => ({
    filename: file.filename,
    content: Buffer.from(file.content, "base64"),
    targetPath: file.target_path ?? null,
    cleanupImportsAfterRun: file.cleanup_imports_after_run,
  }));
}
