import type { CallResponse } from "../../../../shared/client/call-types.ts";

/**
 * The presigned URL is the permission, so no credentials are sent. The browser itself sets the length that is signed.
 *
 * @throws {Error} a sentence, when the bucket did not take the file.
 */
export async function putFile(
  { url, headers }: Pick<CallResponse<"createUpload">, "url" | "headers">,
  file: File,
): Promise<void> {
  const response = await fetch(url, { method: "PUT", headers, body: file }).catch(() => undefined);
  if (response?.ok === true) return;
  const why = response === undefined ? "cannot be reached" : `refused it (${response.status})`;
  throw new Error(`${file.name} is not uploaded: the service's bucket ${why}; try again`);
}
