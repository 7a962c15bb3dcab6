import type * as z from "zod";
import { MachinePath } from "../../shared/contract/fields/common.ts";
import * as wire from "../../shared/contract/computer.ts";
import type { ComputerDeps } from "../../shared/domain/computer/computer-deps.ts";
import { createUpload, presignUpload } from "../../shared/domain/computer/create-upload.ts";
import { type PerformActionInput, performAction } from "../../shared/domain/computer/perform-action.ts";
import { readFileAsLink, readFileInline } from "../../shared/domain/computer/read-file.ts";
import { takeScreenshot } from "../../shared/domain/computer/take-screenshot.ts";
import { type WriteFileInput, writeFile } from "../../shared/domain/computer/write-file.ts";
import type { Asker, DriverChannel } from "../../shared/domain/tunnel/driver-channel.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpContext } from "../../shared/http/http-env.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { idempotent } from "../../shared/http/idempotency/idempotent.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import { presentDriverAnswer } from "./present-driver-answer.ts";

export interface ComputerAppDeps extends HttpDeps, Omit<ComputerDeps, "channel"> {
  /** A channel a request: its mailbox is its own. */
  readonly openChannel: (asker: Asker) => DriverChannel;
}

/** Four megabytes in base64 and the rest of the body, inside the 6 MB that a Lambda takes. */
const fileBodyBytesMax = 5_900_000;

/** Remote input, screen, files and shell of one desktop, through its tunnel. */
export function createComputerApp(deps: ComputerAppDeps) {
  const app = createHttpApp(deps);
  const base = "/v1/computer/:machine_id";
  app.use("/v1/computer/*", authenticate(deps), limitRate(deps));

  const computer = (c: HttpContext): ComputerDeps => ({
    machines: deps.machines,
    files: deps.files,
    ids: deps.ids,
    channel: deps.openChannel(c.var),
  });

  /** Looks: nothing to do once. */
  const look = async <T>(c: HttpContext, answer: z.ZodType<T>, input: LookInput) => {
    const found = await performAction(computer(c), c.var.caller, { ...input, method: "GET", access: "look" });
    return c.json(await presentDriverAnswer(deps.files, answer, found));
  };

  /** Acts: done once under an Idempotency-Key, and the driver told so. */
  const act = async <T>(c: HttpContext, answer: z.ZodType<T>, input: ActInput) => {
    const action = { ...input, method: "POST", access: "act" } as const;
    const done = await idempotent(
      c,
      deps,
      (idempotency) => performAction(computer(c), c.var.caller, { ...action, idempotency }),
      "leased",
    );
    return c.json(await presentDriverAnswer(deps.files, answer, done));
  };

  app.get(`${base}/display/dimensions`, async (c) => {
    const { path } = await readRequest(c, { path: MachinePath });
    return look(c, wire.Dimensions, { machineId: path.machine_id, operation: "display/dimensions" });
  });

  app.get(`${base}/display/screenshot`, async (c) => {
    const { path, query } = await readRequest(c, { path: MachinePath, query: wire.ScreenshotQuery });
    const png = await takeScreenshot(computer(c), c.var.caller, { machineId: path.machine_id, ...query });
    return c.body(Uint8Array.from(png), 200, { "Content-Type": "image/png", "Cache-Control": "no-store" });
  });

  app.get(`${base}/input/mouse/position`, async (c) => {
    const { path } = await readRequest(c, { path: MachinePath });
    return look(c, wire.Position, { machineId: path.machine_id, operation: "input/mouse/position" });
  });

  const inputs: Readonly<Record<string, z.ZodType<Record<string, unknown>>>> = {
    "input/mouse/move": wire.MoveBody,
    "input/mouse/click": wire.ClickBody,
    "input/mouse/drag": wire.DragBody,
    "input/mouse/scroll": wire.ScrollBody,
    "input/keyboard/type": wire.TypeBody,
    "input/keyboard/key": wire.KeyBody,
  };
  for (const [operation, schema] of Object.entries(inputs)) {
    app.post(`${base}/${operation}`, async (c) => {
      const { path, body } = await readRequest(c, { path: MachinePath, body: schema });
      return act(c, wire.ActionDone, { machineId: path.machine_id, operation, body });
    });
  }

  app.post(`${base}/copy_to_clipboard`, async (c) => {
    const { path, body } = await readRequest(c, { path: MachinePath, body: wire.CopyToClipboardBody });
    return act(c, wire.Clipboard, {
      machineId: path.machine_id,
      operation: "copy_to_clipboard",
      body,
      largeAnswer: true,
    });
  });

  app.post(`${base}/shell/exec`, async (c) => {
    const { path, body } = await readRequest(c, { path: MachinePath, body: wire.ExecBody });
    return act(c, wire.ExecResult, {
      machineId: path.machine_id,
      operation: "shell/exec",
      body,
      largeAnswer: true,
    });
  });

  app.get(`${base}/fs/list`, async (c) => {
    const { path, query } = await readRequest(c, { path: MachinePath, query: wire.ListFilesQuery });
    return look(c, wire.FileList, {
      machineId: path.machine_id,
      operation: "fs/list",
      query,
      largeAnswer: true,
    });
  });

  app.get(`${base}/fs/read`, async (c) => {
    const { path, query } = await readRequest(c, { path: MachinePath, query: wire.ReadFileQuery });
    const input = { machineId: path.machine_id, path: query.path };
    if (query.as === "inline") {
      const answer = await readFileInline(computer(c), c.var.caller, input);
      return c.json(await presentDriverAnswer(deps.files, wire.FileContent, answer));
    }
    const { sizeBytes, link } = await readFileAsLink(computer(c), c.var.caller, input);
    return c.json({ path: query.path, size: sizeBytes, url: link.url, expires_in: link.expiresInSeconds });
  });

  app.post(`${base}/fs/uploads`, async (c) => {
    const { path, body } = await readRequest(c, { path: MachinePath, body: wire.CreateUploadBody });
    const input = { machineId: path.machine_id, sizeBytes: body.size };
    const upload = await idempotent(
      c,
      deps,
      (idempotency) =>
        createUpload(computer(c), c.var.caller, {
          ...input,
          ...(idempotency && { uploadId: idempotency.ids[0] }),
        }),
      "leased",
    );
    const link = await presignUpload(deps, c.var.caller, upload);
    return c.json({
      upload_id: upload.uploadId,
      url: link.url,
      headers: link.headers,
      expires_in: link.expiresInSeconds,
    });
  });

  app.post(`${base}/fs/write`, async (c) => {
    const { path, body } = await readRequest(c, {
      path: MachinePath,
      body: wire.WriteFileBody,
      bodyBytesMax: fileBodyBytesMax,
    });
    const source: WriteFileInput["source"] =
      body.upload_id === undefined
        ? { kind: "content", base64: body.content ?? "" }
        : { kind: "upload", uploadId: body.upload_id };
    const input = { machineId: path.machine_id, path: body.path, mode: body.mode, source };
    const written = await idempotent(
      c,
      deps,
      (idempotency) => writeFile(computer(c), c.var.caller, { ...input, idempotency }),
      "leased",
    );
    return c.json(await presentDriverAnswer(deps.files, wire.FileWritten, written));
  });

  return app;
}

type LookInput = Omit<PerformActionInput, "method" | "access" | "body" | "idempotency">;
type ActInput = Omit<PerformActionInput, "method" | "access" | "query" | "idempotency">;
