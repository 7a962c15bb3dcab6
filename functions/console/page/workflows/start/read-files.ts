import { base64Of } from "../../data/file-bytes.ts";

export interface FileToRun {
  readonly filename: string;
  readonly content: string;
}

/** In base64, as a run takes them. */
export async function readFiles(files: readonly File[]): Promise<readonly FileToRun[]> {
  return await Promise.all(
    files.map(async (file) => ({ filename: file.name, content: await base64Of(file) })),
  );
}
