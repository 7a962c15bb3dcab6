import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkPreflight } from "./check-service.ts";
import type { SmokeDesktop } from "./connect-desktop.ts";
import type { Smoke } from "./smoke.ts";

const fileBytes = 100_000;

export async function uploadFile(smoke: Smoke, { machineId, folder }: SmokeDesktop): Promise<Uint8Array> {
  const { admin, name, timeoutMs } = smoke;
  const bytes = randomBytes(fileBytes);
  const path = { machine_id: machineId };
  const upload = await admin.call("createUpload", { path, body: { filename: name, size: bytes.length } });
  // The console is a page of the API itself.
  for (const origin of [new URL(smoke.url).origin, smoke.origin ?? []].flat()) {
    await checkPreflight(smoke, origin, {
      part: "bucket CORS",
      url: upload.url,
      method: "PUT",
      headers: Object.keys(upload.headers),
    });
  }
  const put = await fetch(upload.url, {
    method: "PUT",
    headers: upload.headers,
    body: bytes,
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!put.ok) throw new Error(`the bucket returned ${put.status} to a PUT: ${await put.text()}`);
  await admin.call("writeFile", { path, body: { path: name, upload_id: upload.upload_id } });
  if (!bytes.equals(await readFile(join(folder, name)))) throw new Error("the desktop got another file");
  return bytes;
}

export async function downloadFile(
  { admin, name, timeoutMs }: Smoke,
  { machineId }: SmokeDesktop,
  expected: Uint8Array,
): Promise<void> {
  const file = await admin.call("readFile", {
    path: { machine_id: machineId },
    query: { path: name, as: "url" },
  });
  if (!("url" in file)) throw new Error("the response has no URL");
  const response = await fetch(file.url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`the bucket returned ${response.status} to a GET`);
  if (Buffer.compare(await response.bytes(), expected) !== 0) throw new Error("another file came back");
}
