import { type SpecData, Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { RunField } from "../../../shared/contract/run/run.ts";
import { WebhookEventType } from "../../../shared/contract/webhook/webhook.ts";
import * as webhookEvents from "../../../shared/contract/webhook/webhook-events.ts";
import { operationsIn } from "../../support/openapi/document-parts.ts";

const operations: readonly Operation[] = allOperations;
const document = await openApiDocument(operations);
const described = operationsIn(document);

function holding(key: string, value: unknown = document): readonly Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap((inner) => holding(key, inner));
  return key in value ? [value as Record<string, unknown>, ...inside] : inside;
}

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1 of the description's version 1.0.0", async () => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(document) as unknown as SpecData,
    );
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "1.0.0" } });
  });

  it("has every operation, each at a method and path of its own", () => {
    expect(described.map(({ operation }) => operation.operationId).sort()).toEqual(
      operations.map(({ id }) => id).sort(),
    );
  });

  it("names each operation once", () => {
    const ids = operations.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  it("resolves each of its references", () => {
    const missing = holding("$ref").filter(({ $ref }) => {
      const path = String($ref).replace(/^#\//, "").split("/");
      return (
        path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document) ===
        undefined
      );
    });
    expect(missing.map(({ $ref }) => $ref)).toEqual([]);
  });

  it("says of each path parameter, and of no other, that it is in the path", () => {
    for (const { route, operation } of described) {
      const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const named = (operation.parameters ?? []).flatMap((each) =>
        "in" in each && each.in === "path" ? [each.name] : [],
      );
      expect(named.sort(), route).toEqual(inPath.sort());
    }
  });

  it("says something about each parameter and each heading", () => {
    const silent = described.flatMap(({ route, operation }) =>
      (operation.parameters ?? []).flatMap((each) =>
        "name" in each && !each.description ? [`${route}: ${each.name}`] : [],
      ),
    );
    const headings = (document.tags ?? []).filter(({ description }) => !description);
    expect([silent, headings]).toEqual([[], []]);
  });

  it("shows what a query parameter is left at, and its bounds", () => {
    const list = described.find(({ route }) => route === "GET /v1/machines")?.operation;
    expect(list?.parameters?.find((each) => "name" in each && each.name === "limit")).toMatchObject({
      schema: { type: "integer", minimum: 1, maximum: 1_000, default: 100 },
    });
  });

  it("names the fields that a list may be asked for, and the greatest skip", () => {
    const parameters = Object.fromEntries(
      (described.find(({ route }) => route === "GET /v1/runs")?.operation.parameters ?? []).flatMap((each) =>
        "name" in each ? [[each.name, each.schema]] : [],
      ),
    );
    expect(parameters.fields).toEqual({ type: "array", items: { type: "string", enum: RunField.options } });
    expect(parameters.skip).toMatchObject({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
  });

  it("offers Idempotency-Key on every write and on nothing else", () => {
    for (const { route, operation } of described) {
      const offers = (operation.parameters ?? []).some(
        (each) => "$ref" in each && each.$ref === "#/components/parameters/Idempotency-Key",
      );
      expect(offers, route).toBe(!route.startsWith("GET "));
    }
  });

  it.each(
    operations
      .filter(({ body }) => body !== undefined)
      .map((operation) => [operation.id, operation] as const),
  )("shows a body for %s that the service takes", (_, { body, example }) => {
    expect(example).toBeDefined();
    expect(body?.safeParse(example).error?.issues).toBeUndefined();
  });

  it("leads from what has been created to the operations on it, and to what it names", () => {
    const linksOf = (created: string): Record<string, { parameters?: object; operationId?: string }> =>
      described.find(({ route }) => route === created)?.operation.responses?.[201]?.links ?? {};
    expect(linksOf("POST /v1/runs")).toMatchObject({
      getRun: { operationId: "getRun", parameters: { run_id: "$response.body#/id" } },
      deleteRun: { operationId: "deleteRun" },
      getWorkflow: { parameters: { workflow_id: "$response.body#/workflow_id" } },
    });
    expect(linksOf("POST /v1/trajectories/{trajectory_id}/verify").getRun?.parameters).toEqual({
      run_id: "$response.body#/run/id",
    });
    for (const { route } of described) {
      for (const { operationId, parameters } of Object.values(linksOf(route))) {
        const target = described.find(({ operation }) => operation.operationId === operationId);
        const inPath = [...(target?.route ?? "").matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        expect(Object.keys(parameters ?? {}), `${route} ${operationId}`).toEqual(inPath);
      }
      const reader = described.find((one) =>
        new RegExp(`^GET ${route.split(" ")[1]}/\\{\\w+\\}$`).test(one.route),
      );
      const isCreation =
        described.find((one) => one.route === route)?.operation.responses?.[201] !== undefined;
      if (isCreation && reader)
        expect(Object.keys(linksOf(route)), route).toContain(reader.operation.operationId);
    }
  });

  it("leaves no answer's body open", () => {
    for (const { route, operation } of described) {
      for (const [status, answer] of Object.entries(operation.responses ?? {})) {
        const schema = answer.content?.["application/json"]?.schema;
        if (schema !== undefined) expect(Object.keys(schema), `${route} ${status}`).not.toEqual([]);
      }
    }
  });

  it("describes the names of its refusals by every code that there is", () => {
    const { responses = {} } = document.components ?? {};
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining([
        "Refusal400",
        "Refusal401",
        "Refusal403",
        "Refusal404",
        "Refusal409",
        "Refusal422",
      ]),
    );
    expect(responses.Refusal404).toMatchObject({ description: expect.stringContaining("`not_found`") });
  });
});

describe("the document's webhooks", () => {
  const sent = Object.entries(document.webhooks ?? {});

  it("are the types of events that an endpoint may name, and the test's", () => {
    expect(sent.map(([type]) => type).sort()).toEqual([...WebhookEventType.options, "webhook.test"].sort());
  });

  it.each(sent)("show what %s sends: signed, and of a schema with a name", (type, { post }) => {
    const headers = (post?.parameters ?? []).map((each) => "name" in each && each.name);
    expect(headers).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"]);
    const { schema, example } = Object(post?.requestBody).content["application/json"];
    const name = schema.$ref.replace("#/components/schemas/", "");
    const body = new Map<string, unknown>(Object.entries(webhookEvents)).get(name) as typeof WebhookEventType;
    expect(body.parse(example)).toEqual(expect.objectContaining({ event_type: type }));
  });
});
