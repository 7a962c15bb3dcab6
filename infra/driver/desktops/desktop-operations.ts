import type * as z from "zod";
import { computerOperations } from "../../../shared/contract/operations/computer-operations.ts";
import { driverRefusals } from "../../../shared/vocabulary/drivers.ts";
import type { DesktopMethod } from "../../../shared/vocabulary/methods.ts";
import { Refusal } from "../answer.ts";
import type { Answer, DesktopRequest } from "../desktop.ts";
import { readJson, readQuery } from "./read-input.ts";

/** The service itself performs `createUpload`. */
export type DesktopOperation = Exclude<(typeof computerOperations)[number], { readonly id: "createUpload" }>;

export const desktopOperations: readonly DesktopOperation[] = computerOperations.filter(
  (operation) => operation.id !== "createUpload",
);

export type ScreenOperation = Exclude<
  DesktopOperation,
  { readonly path: `${string}/fs/${string}` | `${string}/shell/${string}` | `${string}/batch` }
>;

export function isScreenOperation(operation: DesktopOperation): operation is ScreenOperation {
  return !/\/(fs|shell|batch)\b/.test(operation.path);
}

type Named<Id> = Extract<DesktopOperation, { readonly id: Id }>;

export type InputOf<Id> =
  Named<Id> extends { readonly body: infer Body extends z.ZodType }
    ? z.output<Body>
    : Named<Id> extends { readonly query: infer Query extends z.ZodType }
      ? z.output<Query>
      : Readonly<Record<string, never>>;

/** The result is empty where the contract's object has no field. */
export type ResultOf<Id> = Named<Id>["responses"][200] extends {
  readonly schema: infer Schema extends z.ZodType;
}
  ? z.output<Schema> extends Readonly<Record<string, never>>
    ? Promise<void>
    : Promise<z.output<Schema>>
  : never;

export function desktopPath(operation: DesktopOperation): string {
  return operation.path.replace("/v1/computer/{machine_id}", "/computer");
}

export interface Served {
  readonly method: DesktopMethod;
  readonly path: string;
}

export interface Route extends Served {
  handle(request: DesktopRequest): Promise<Answer>;
}

/** @throws {Refusal} 404 or 405. */
export function findServed<One extends Served>(
  all: readonly One[],
  { method, path }: Pick<DesktopRequest, "method" | "path">,
): One {
  const found = all.filter((served) => served.path === path);
  if (found.length === 0) {
    throw new Refusal(404, driverRefusals.unknownPath, "this driver does not serve the path");
  }
  const served = found.find((one) => one.method === method);
  if (served !== undefined) return served;
  throw new Refusal(405, "method_not_allowed", "the path is served with another method");
}

export function serveRaw(id: DesktopOperation["id"], handle: Route["handle"]): Route {
  const operation = operationOf(id);
  return { method: operation.method, path: desktopPath(operation), handle };
}

export function serve<Id extends DesktopOperation["id"]>(
  id: Id,
  handle: (input: InputOf<Id>, request: DesktopRequest) => Promise<Answer>,
): Route {
  const operation = operationOf(id);
  return serveRaw(id, async (request) =>
    handle((await readInput(operation, request)) as InputOf<Id>, request),
  );
}

async function readInput(operation: DesktopOperation, request: DesktopRequest): Promise<unknown> {
  if ("body" in operation) return await readJson(request, operation.body);
  return "query" in operation ? readQuery(request, operation.query) : {};
}

export function operationOf<Id extends DesktopOperation["id"]>(id: Id): Named<Id> {
  const found = desktopOperations.find((operation): operation is Named<Id> => operation.id === id);
  if (found === undefined) throw new Error(`the contract has no operation ${id}`);
  return found;
}
