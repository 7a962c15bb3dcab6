import { asyncApiDocument } from "../../infra/asyncapi/asyncapi-document.ts";
import { openApiDocument } from "../../infra/openapi/openapi-document.ts";
import { allOperations } from "../../shared/contract/operations/all-operations.ts";
import { breakingChanges } from "./breaking-changes.ts";
import { readFixture } from "./fixture-files.ts";

export async function documentsToday(): Promise<Readonly<Record<string, object>>> {
  const documents = {
    "openapi.json": await openApiDocument(allOperations),
    "asyncapi.json": asyncApiDocument(),
  };
  return JSON.parse(JSON.stringify(documents)) as Readonly<Record<string, object>>;
}

/** Changes since the fixture that would break a client and that `CHANGES.md` gives no reason for. */
export function unexplainedChanges(file: string, today: object): readonly string[] {
  const explained = new Set(
    [...readFixture("CHANGES.md").matchAll(/^- `([^`]+)`: \S/gm)].map(([, change]) => change),
  );
  const before = JSON.parse(readFixture(file)) as object;
  return breakingChanges(before, today).filter((change) => !explained.has(change));
}
