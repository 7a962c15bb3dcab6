import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import { componentSchemas } from "../../infra/openapi/document-parts.ts";
import { openApiDocument } from "../../infra/openapi/openapi-document.ts";
import type { ValidationErrorBody } from "../../shared/contract/errors.ts";
import { allOperations } from "../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../shared/contract/operations/operation.ts";
import { type DescribedOperation, operationsOf, requestsTo } from "../support/openapi/generate-request.ts";
import { unsaidReasons } from "../support/openapi/said-rules.ts";
import { ask, createOrganization, keyOf, type Organization } from "../support/stack/stack-client.ts";

/** The seed, changed by FUZZ_SEED; a failure names it and the request's number. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);
const requestsMax = 1_500;
const requestsMin = 1_000;
/** The test ends after this time, but on a busy machine not before `requestsMin` requests. */
const timeMs = 30_000;
const longestMs = 360_000;
const callers = 4;

const few: ReadonlySet<string> = new Set(["Driver", "Documentation"]);
const fewMax = 3;

let organization: Organization;
let document: Awaited<ReturnType<typeof openApiDocument>>;
const ids: string[] = [];

beforeAll(async () => {
  document = await openApiDocument(allOperations);
  organization = await createOrganization();
  for (let made = 0; made < 4; made += 1) {
    const machine = await ask("/v1/machines", {
      key: keyOf(organization, "full"),
      body: { fingerprint: randomUUID() },
    });
    ids.push(String(machine.body.id));
  }
});

const bodies = new Map<string, z.ZodType | undefined>(
  allOperations.map((operation: Operation) => [operation.id, operation.body]),
);

/** The reasons for which a body was refused that its schema takes: unit tests compare the schema with the document. */
function reasonsOf(operationId: string, text: string | undefined, response: unknown): readonly string[] {
  const { detail = [] } = response as Partial<ValidationErrorBody>;
  const ofBody = detail.filter(({ loc }) => loc[0] === "body");
  if (ofBody.length === 0 || bodies.get(operationId)?.safeParse(jsonIn(text)).success !== true) return [];
  return ofBody.map(({ msg }) => msg);
}

function jsonIn(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    // No schema of a body takes a text.
    return text;
  }
}

function operationAt(
  operations: readonly DescribedOperation[],
  index: number,
): DescribedOperation | undefined {
  const operation = operations[index % operations.length];
  const round = Math.floor(index / operations.length);
  return operation !== undefined && few.has(operation.tag) && round >= fewMax ? undefined : operation;
}

describe("the contract under generated requests", () => {
  it(
    "answers each as the document says, and never fails",
    async () => {
      const operations = operationsOf(document);
      const startedMs = performance.now();
      const isTimeOver = (): boolean => {
        const tookMs = performance.now() - startedMs;
        return tookMs > longestMs || (tookMs > timeMs && sent > requestsMin);
      };
      const statuses = new Map<number, number>();
      const failures: string[] = [];
      let next = 0;
      let sent = 0;

      async function askOne(index: number): Promise<void> {
        const operation = operationAt(operations, index);
        if (operation === undefined) return;
        const world = { components: componentSchemas(document), ids };
        const [generated] = fc.sample(requestsTo(operation, world), { numRuns: 1, seed: seed + index });
        if (generated === undefined) throw new Error("nothing was generated");
        const { path, ...request } = generated;
        const key = keyOf(organization, index % 10 === 0 ? "read" : "full");
        try {
          const { status, body } = await ask<unknown>(path, { ...request, key });
          sent += 1;
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          // 503 is a machine that is busy; it conforms like the others.
          const reasons =
            status === 422
              ? unsaidReasons(
                  document,
                  operation.operationId,
                  reasonsOf(operation.operationId, request.text, body),
                )
              : [];
          if (reasons.length > 0) failures.push(`${describeRequest(index)}: unsaid: ${reasons.join("; ")}`);
          if (status === 500) failures.push(`${describeRequest(index)}: ${status} ${JSON.stringify(body)}`);
        } catch (error) {
          failures.push(`${describeRequest(index)}: ${error instanceof Error ? error.message : error}`);
        }
        function describeRequest(at: number): string {
          return `seed ${seed}, request ${at}, ${request.method} ${path.slice(0, 300)} ${request.text?.slice(0, 300) ?? ""}`;
        }
      }

      async function caller(): Promise<void> {
        while (next < requestsMax && !isTimeOver() && failures.length < 10) {
          next += 1;
          await askOne(next - 1);
        }
      }
      await Promise.all(Array.from({ length: callers }, caller));

      expect(failures).toEqual([]);
      expect(sent, `answers by status: ${JSON.stringify(Object.fromEntries(statuses))}`).toBeGreaterThan(
        requestsMin,
      );
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 404, 422]));
    },
    longestMs + 60_000,
  );
});
