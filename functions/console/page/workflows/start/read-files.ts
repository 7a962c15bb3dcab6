export interface FileToRun {
  readonly filename: string;
  readonly content: string;
}

/** In base64, as a run takes them. */
export async function readFiles(files: readonly File[]): Promise<readonly FileToRun[]> {
  return await Promise.all(
    files.map(async (file) => ({
      filename: file.name,
      content: base64Of(new Uint8Array(await file.arrayBuffer())),
    })),
  );
}

/** A call takes so many arguments, and not all bytes of a file. */
const chunk = 32_768;

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += chunk) {
    text += String.fromCharCode(...bytes.subarray(at, at + chunk));
  }
  return btoa(text);
}
