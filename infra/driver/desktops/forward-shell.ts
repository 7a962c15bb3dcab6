import { Readable } from "node:stream";
import { jsonAnswer, readAll } from "../answer.ts";
import type { Answer, DesktopRequest, RequestBody } from "../desktop.ts";
import { desktopPath, operationOf } from "./desktop-operations.ts";

export const shellPath = desktopPath(operationOf("executeCommand"));

/** Local servers whose shell is PowerShell have this path, with the same fields. */
const powerShellPath = "/computer/shell/powershell/exec";

/** A server that answers one of these has not run the command, so that the other path can be tried. */
const lacking: ReadonlySet<number> = new Set([404, 405, 501]);

type HandOn = (request: DesktopRequest) => Promise<Answer>;

/** Runs commands by whichever path the local server has; the path that worked last is tried first. */
export function createForwardShell(handOn: HandOn, bytesMax: number): HandOn {
  let paths: readonly [string, string] = [shellPath, powerShellPath];
  return async (request) => {
    const body = bodyOf(await request.body.bytes(bytesMax));
    const [path, otherPath] = paths;
    const first = await handOn({ ...request, path, body });
    if (!lacking.has(first.status)) return await withTimeout(first);
    const second = await handOn({ ...request, path: otherPath, body });
    if (lacking.has(second.status)) return first;
    paths = [otherPath, path];
    return await withTimeout(second);
  };
}

export function bodyOf(bytes: Uint8Array): RequestBody {
  return { bytes: async () => bytes, stream: async () => Readable.from([bytes]), size: bytes.byteLength };
}

/** Some servers say in words alone that a command took too long. */
async function withTimeout(answer: Answer): Promise<Answer> {
  if (answer.status !== 200) return answer;
  const bytes = await readAll(answer);
  let fields: unknown;
  try {
    fields = JSON.parse(Buffer.from(bytes ?? []).toString());
  } catch {
    // The service says what is wrong with the answer.
    return answer;
  }
  if (typeof fields !== "object" || fields === null || "timeout_reached" in fields) return answer;
  const isLate = "error" in fields && /timed out/i.test(String(fields.error));
  return jsonAnswer(200, { ...fields, timeout_reached: isLate });
}
