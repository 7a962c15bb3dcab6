import type { Hono } from "hono";
import { CreateChainBody } from "../../shared/contract/chain.ts";
import {
  CreateRunBody,
  CreateRunsBody,
  RetryRunBody,
  RunPath,
  RunQuery,
  RunsQuery,
  UpdateRunBody,
} from "../../shared/contract/run.ts";
import type { Idempotency } from "../../shared/domain/idempotency/idempotency.ts";
import { createChain } from "../../shared/domain/run/create/create-chain.ts";
import { createRun } from "../../shared/domain/run/create/create-run.ts";
import { createRuns } from "../../shared/domain/run/create/create-runs.ts";
import { deleteRun } from "../../shared/domain/run/delete-run.ts";
import { getRun } from "../../shared/domain/run/get-run.ts";
import { getRunInputs } from "../../shared/domain/run/inputs/get-run-inputs.ts";
import type { InheritedSecretDeps } from "../../shared/domain/run/inputs/inherited-secret-values.ts";
import { listRuns } from "../../shared/domain/run/list-runs.ts";
import {
  type RelatedDeps,
  type RelatedKind,
  relatedToRuns,
} from "../../shared/domain/run/related-to-runs.ts";
import { type RetryDeps, retryRun } from "../../shared/domain/run/retry/retry-run.ts";
import type { Run } from "../../shared/domain/run/run.ts";
import { updateRun } from "../../shared/domain/run/update-run.ts";
import { explainWaiting } from "../../shared/domain/run/waiting/explain-waiting.ts";
import type { WaitingView } from "../../shared/domain/run/waiting/waiting-view.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { boundedAnswer } from "../../shared/http/bounded-answer.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { idempotent } from "../../shared/http/idempotency/idempotent.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import { presentCreatedRuns, presentIncluded, presentRun, presentRunItem } from "./present-run.ts";
import { heavyFields, readHeavy, readHeavyOfAll } from "./read-heavy.ts";
import { chainInput, createInput, retryInput, runFilter, updateInput } from "./read-input.ts";

export interface RunsAppDeps
  extends HttpDeps,
    RelatedDeps,
    Pick<InheritedSecretDeps, "secretOwners">,
    Pick<RetryDeps, "runs" | "secrets" | "files" | "attachments" | "inputSources" | "inputChecker"> {
  readonly waitingView: WaitingView;
}

/** Files in base64, or output and history, inside the 6 MB that a Lambda takes. */
const bodyBytesMax = 5_900_000;

export function createRunsApp(deps: RunsAppDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  const present = async (run: Run) => presentRun(run, await readHeavy(deps, run));
  const included = async (organizationId: string, runs: readonly Run[], kinds?: readonly RelatedKind[]) =>
    kinds === undefined
      ? {}
      : { included: presentIncluded(await relatedToRuns(deps, organizationId, runs, kinds), kinds) };

  app.get("/v1/runs", async (c) => {
    const { query } = await readRequest(c, { query: RunsQuery });
    const { skip, limit, fields, include } = query;
    const input = { filter: runFilter(query), page: { skip, limit }, heavy: heavyFields(fields) };
    const page = await listRuns(deps, c.var.caller, input);
    const [heavy, related] = await Promise.all([
      readHeavyOfAll(deps, page.items),
      included(c.var.caller.organizationId, page.items, include),
    ]);
    const nothing = { outputData: null, runMessageHistory: null };
    const items = page.items.map((run, index) => presentRunItem(run, heavy[index] ?? nothing, fields));
    return c.json(boundedAnswer({ items, total: page.total, skip, limit, ...related }));
  });

  app.post("/v1/runs", async (c) => {
    const { body } = await readRequest(c, { body: CreateRunBody, bodyBytesMax });
    const work = (idempotency?: Idempotency) => createRun(deps, c.var.caller, createInput(body), idempotency);
    return c.json(await present(await idempotent(c, deps, work, "transactional")), 201);
  });

  app.post("/v1/runs/bulk", async (c) => {
    const { body } = await readRequest(c, { body: CreateRunsBody, bodyBytesMax });
    const input = { ...createInput(body), count: body.count };
    const work = (idempotency?: Idempotency) => createRuns(deps, c.var.caller, input, idempotency);
    return c.json(presentCreatedRuns(await idempotent(c, deps, work, "transactional")), 201);
  });

  app.post("/v1/runs/chain", async (c) => {
    const { body } = await readRequest(c, { body: CreateChainBody, bodyBytesMax });
    const work = (idempotency?: Idempotency) =>
      createChain(deps, c.var.caller, chainInput(body), idempotency);
    const { sessionId, runIds } = await idempotent(c, deps, work, "transactional");
    return c.json({ session_id: sessionId, run_ids: runIds }, 201);
  });

  app.get("/v1/runs/:run_id", async (c) => {
    const { path, query } = await readRequest(c, { path: RunPath, query: RunQuery });
    const run = await getRun(deps, c.var.caller, { runId: path.run_id });
    const [related, heavy, waiting] = await Promise.all([
      included(run.organizationId, [run], query.include),
      readHeavy(deps, run),
      explainWaiting(deps.waitingView, run),
    ]);
    return c.json({ ...presentRun(run, heavy, waiting), ...related });
  });

  app.patch("/v1/runs/:run_id", async (c) => {
    const { path, body } = await readRequest(c, { path: RunPath, body: UpdateRunBody, bodyBytesMax });
    const input = updateInput(path.run_id, body);
    const work = (idempotency?: Idempotency) => updateRun(deps, c.var.caller, input, idempotency);
    return c.json(await present(await idempotent(c, deps, work, "transactional")));
  });

  app.delete("/v1/runs/:run_id", async (c) => {
    const { path } = await readRequest(c, { path: RunPath });
    const work = (idempotency?: Idempotency) =>
      deleteRun(deps, c.var.caller, { runId: path.run_id, idempotency });
    await idempotent(c, deps, work, "transactional");
    return c.body(null, 204);
  });

  app.post("/v1/runs/:run_id/retry", async (c) => {
    // As it was, when nothing is sent.
    const schemas = { path: RunPath, body: RetryRunBody.prefault({}), bodyBytesMax };
    const { path, body } = await readRequest(c, schemas);
    const work = (idempotency?: Idempotency) =>
      retryRun(deps, c.var.caller, retryInput(path.run_id, body), idempotency);
    return c.json(await present(await idempotent(c, deps, work, "transactional")));
  });

  app.get("/v1/runs/:run_id/inputs", async (c) => {
    const { path } = await readRequest(c, { path: RunPath });
    const inputs = await getRunInputs(deps, c.var.caller, { runId: path.run_id });
    c.header("Cache-Control", "no-store");
    return c.json({
      assignment_id: inputs.assignmentId,
      input_values: inputs.inputValues,
      sensitive_input_values: inputs.sensitiveValues,
    });
  });

  return app;
}
