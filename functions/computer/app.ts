import type { Hono } from "hono";
import type * as z from "zod";
import * as system from "../../shared/contract/computer/computer-system.ts";
import { computerOperations } from "../../shared/contract/operations/computer-operations.ts";
import type { Operation } from "../../shared/contract/operations/operation.ts";
import { type Batch, type BatchAction, readBatch } from "../../shared/domain/computer/batch.ts";
import type { ComputerDeps } from "../../shared/domain/computer/computer-deps.ts";
import { createUpload, presignUpload } from "../../shared/domain/computer/create-upload.ts";
import { forwardAction } from "../../shared/domain/computer/forward-action.ts";
import type { DesktopAccess } from "../../shared/domain/computer/get-desktop.ts";
import { jsonAnswerBytesMax } from "../../shared/domain/computer/json-answer.ts";
import { performBatch } from "../../shared/domain/computer/perform-batch.ts";
import { readFileAsLink, readFileInline } from "../../shared/domain/computer/read-file.ts";
import { watchScreen } from "../../shared/domain/computer/watch-screen.ts";
import { type WriteFileInput, writeFile } from "../../shared/domain/computer/write-file.ts";
import type { JsonObject } from "../../shared/domain/json.ts";
import type { WorkerStepDeps } from "../../shared/domain/run-progress/record-worker-steps.ts";
import type { CurrentCodeDeps } from "../../shared/domain/secrets/current-code.ts";
import type { DriverChannel, Requester } from "../../shared/domain/tunnel/driver-channel.ts";
import type { WaitingPlaces } from "../../shared/domain/waiting-places/waiting-places.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpContext, HttpEnv } from "../../shared/http/http-env.ts";
import { entityTagsIn } from "../../shared/http/request/entity-tags.ts";
import type { Handlers, OperationRequest } from "../../shared/http/serve-operations.ts";
import type { DriverCapability } from "../../shared/vocabulary/drivers.ts";
import type { PersonalRequest } from "./as-personal.ts";
import { asSteps, type ComputerWork, outcomeOfBatch } from "./as-steps.ts";
import { presentBatch } from "./present-batch.ts";
import { presentDriverAnswer } from "./present-driver-answer.ts";
import { presentLook } from "./present-look.ts";
import { readOnce } from "./read-once.ts";
import { recordedBody } from "./recorded-body.ts";

export interface ComputerAppDeps
  extends HttpDeps,
    Omit<ComputerDeps, "channel">,
    WorkerStepDeps,
    Pick<PersonalRequest, "personalActions"> {
  readonly clock: ComputerDeps["clock"];
  readonly codes: CurrentCodeDeps["codes"];
  readonly files: ComputerDeps["files"];
  readonly logger: HttpDeps["logger"];
  /** One channel per request, each with its own mailbox. */
  readonly openChannel: (requester: Requester) => DriverChannel;
  readonly lookPlaces: WaitingPlaces;
}

type ComputerHandlers = Handlers<typeof computerOperations>;
type ComputerOperation = (typeof computerOperations)[number];
type OwnId = "takeScreenshot" | "performBatch" | "readFile" | "createUpload" | "writeFile";
/** A new action of the contract is covered without a change here. */
type HandedOn = Exclude<ComputerOperation, { readonly id: OwnId }>;

/** The capability that a request needs: a driver without it would ignore `down`, and press and release. */
const neededFor: Partial<Record<HandedOn["id"], (body: object) => DriverCapability | undefined>> = {
  pressKeys: (body) => ("down" in body ? "keys_down" : undefined),
  openProgram: () => "open_program",
};

export function createComputerApp(deps: ComputerAppDeps): Hono<HttpEnv> {
  /** The machine is read beside the count of the rate limit; nothing is sent to it before. */
  const admitted = (c: HttpContext): ComputerDeps["machines"] => ({
    findWithCalls: async (...named) => {
      const [found] = await Promise.all([deps.machines.findWithCalls(...named), c.get("admission")]);
      return found;
    },
  });

  const computer = (c: HttpContext, machines = admitted(c)): ComputerDeps => ({
    machines,
    organizationCallsMax: deps.organizationCallsMax,
    files: deps.files,
    clock: deps.clock,
    ids: deps.ids,
    channel: deps.openChannel(c.var),
  });

  const acting = ({ c, caller, path }: Pick<OperationRequest<HandedOn>, "c" | "caller" | "path">) => ({
    c,
    caller,
    machines: readOnce(admitted(c)),
    computer: (machines: ComputerDeps["machines"]) => computer(c, machines),
    machineId: path.machine_id,
  });

  /**
   * A POST is idempotent on the driver too, which remembers the action's id; its large response stays in the bucket for
   * repeats. Nothing repeats that of a GET, which is read and removed.
   */
  const handOn = (operation: Operation & HandedOn) => {
    const { method, path, hasLargeResponse: largeResponse } = operation;
    const { step = operation.id }: Operation = operation;
    const schema: z.ZodType = operation.responses[200].schema;
    const access: DesktopAccess = operation.scopes.some((scope) => scope === "read") ? "look" : "act";
    const action = { access, method, operation: path.replace(/^.*\{machine_id\}\//, ""), largeResponse };
    return async (request: OperationRequest<HandedOn>) => {
      const { c, caller, path, query, body, idempotent } = request;
      const needs = neededFor[operation.id]?.(body ?? {});
      const input = { ...action, machineId: path.machine_id, query, body, needs };
      const answer =
        method === "GET"
          ? await forwardAction(computer(c), caller, { ...input, readBytesMax: jsonAnswerBytesMax })
          : await asSteps(
              deps,
              acting(request),
              [{ type: step, ...(body as JsonObject | undefined) }],
              (machines) =>
                idempotent(async (idempotency) => {
                  const recorded = { caller, machines, machineId: path.machine_id };
                  const sent = body && (await recordedBody(deps, recorded, body));
                  return await forwardAction(
                    computer(c, machines),
                    caller,
                    { ...input, body: sent },
                    idempotency,
                  );
                }),
            );
      return presentDriverAnswer(deps.files, schema, answer);
    };
  };

  const own: Pick<ComputerHandlers, OwnId> = {
    takeScreenshot: async ({ c, caller, path, query }) => {
      const { settle_ms: settleMs, wait_ms: waitMs, ...picture } = query;
      const unless = entityTagsIn(c.req.header("If-None-Match"));
      const input = { ...picture, machineId: path.machine_id, settleMs, waitMs, unless };
      const watched = await watchScreen(
        { ...computer(c), waitingPlaces: deps.lookPlaces, logger: c.var.logger },
        caller,
        input,
      );
      return presentLook(c, watched, unless);
    },
    performBatch: async (request) => {
      const { c, caller, path, body, idempotent } = request;
      const { actions, screenshot, settle_ms: settleMs, cursor } = body;
      const input = { machineId: path.machine_id, actions, screenshot, settleMs, cursor };
      const work: ComputerWork<Batch> = async (machines) => {
        const answer = await idempotent(async (idempotency) => {
          const recorded = { caller, machines, machineId: path.machine_id };
          const sent = await Promise.all(
            actions.map((action, index) => recordedBody(deps, recorded, action, ["body", "actions", index])),
          );
          const batch = { ...input, actions: sent as readonly BatchAction[] };
          return await performBatch(computer(c, machines), caller, batch, idempotency);
        });
        return await readBatch(deps.files, actions, answer);
      };
      const steps = actions as readonly JsonObject[];
      const batch = await asSteps(deps, acting(request), steps, work, (done) => outcomeOfBatch(steps, done));
      return await presentBatch(deps, caller, batch);
    },
    readFile: async ({ c, caller, path, query }) => {
      const input = { machineId: path.machine_id, path: query.path };
      if (query.as === "inline") {
        const answer = await readFileInline(computer(c), caller, input);
        return presentDriverAnswer(deps.files, system.FileContent, answer);
      }
      const { sizeBytes, link } = await readFileAsLink(computer(c), caller, input);
      return { path: query.path, size: sizeBytes, url: link.url, expires_in: link.expiresInSeconds };
    },
    createUpload: async ({ c, caller, path, body, idempotent }) => {
      const input = { machineId: path.machine_id, sizeBytes: body.size };
      const upload = await idempotent((idempotency) =>
        createUpload(computer(c), caller, { ...input, ...(idempotency && { uploadId: idempotency.ids[0] }) }),
      );
      const { url, headers, expiresInSeconds } = await presignUpload(deps, caller, upload);
      return { upload_id: upload.uploadId, url, headers: { ...headers }, expires_in: expiresInSeconds };
    },
    writeFile: async (request) => {
      const { c, caller, path, body, idempotent } = request;
      const source: WriteFileInput["source"] =
        body.upload_id === undefined
          ? { kind: "content", base64: body.content ?? "" }
          : { kind: "upload", uploadId: body.upload_id };
      const input = { machineId: path.machine_id, path: body.path, mode: body.mode, source };
      const { content, as_input } = body;
      // The text of a file is an input's value, and else not on record.
      const named = as_input !== undefined && {
        as_input,
        content: Buffer.from(content ?? "", "base64").toString(),
      };
      const step = { type: "write_file", path: body.path, mode: body.mode, ...named };
      const written = await asSteps(deps, acting(request), [step], (machines) =>
        idempotent(async (idempotency) => {
          await recordedBody(deps, { caller, machines, machineId: path.machine_id }, { as_input });
          return await writeFile(computer(c, machines), caller, input, idempotency);
        }),
      );
      return presentDriverAnswer(deps.files, system.FileWritten, written);
    },
  };

  const others = computerOperations.filter((each): each is HandedOn => !(each.id in own));
  const handedOn = Object.fromEntries(others.map((each) => [each.id, handOn(each)]));
  return createCallersApp(deps, computerOperations, {
    ...own,
    ...(handedOn as unknown as Omit<ComputerHandlers, OwnId>),
  });
}
