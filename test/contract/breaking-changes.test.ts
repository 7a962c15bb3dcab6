import { describe, expect, it } from "vitest";
import { breakingChanges } from "./breaking-changes.ts";

const name = { type: "string", minLength: 1, maxLength: 9 };
const kind = { type: "string", enum: ["a", "b"] };
const size = { anyOf: [{ type: "integer" }, { type: "null" }] };
const thing = { type: "object", properties: { name, kind, size }, required: ["name"] };
const place = "POST /things/{id}";

type Schema = Readonly<Record<string, unknown>>;

function openApi({ request = thing, response = thing, ...operation }: Schema = {}, path = "/things/{id}") {
  const content = (schema: unknown) => ({ content: { "application/json": { schema } } });
  return {
    paths: {
      [path]: {
        post: {
          parameters: [{ in: "query", name: "limit", schema: { type: "integer", maximum: 9 } }],
          requestBody: content({ $ref: "#/components/schemas/Request" }),
          responses: { 200: { headers: { ETag: {} }, ...content(response) }, 404: content({}) },
          ...operation,
        },
      },
    },
    components: { schemas: { Request: request } },
  };
}

function withProperty(property: string, schema: unknown): Schema {
  return { ...thing, properties: { ...thing.properties, [property]: schema } };
}

const limit = (fields: object) => ({ parameters: [{ in: "query", name: "limit", ...fields }] });
const integer = { type: "integer" };
const byCommas = (items: object, explode = false) =>
  limit({ style: "form", explode, schema: { type: "array", items } });

describe("breaking changes of an OpenAPI document", () => {
  it.each<[string, object, string]>([
    ["an operation that is gone", openApi({}, "/others"), `${place}: is gone`],
    ["a parameter that is gone", openApi({ parameters: [] }), `${place} query limit: is gone`],
    [
      "a parameter that is required",
      openApi(limit({ required: true, schema: { ...integer, maximum: 9 } })),
      `${place} query limit: is required now`,
    ],
    [
      "a lower maximum",
      openApi(limit({ schema: { ...integer, maximum: 8 } })),
      `${place} query limit: maximum 9 -> 8`,
    ],
    [
      "a lower maximum of each value of a list",
      openApi(byCommas({ ...integer, maximum: 8 })),
      `${place} query limit: maximum 9 -> 8`,
    ],
    [
      "a list that repeats its parameter",
      openApi(byCommas({ ...integer, maximum: 9 }, true)),
      `${place} query limit: type integer -> array`,
    ],
    ["a header that is gone", openApi({ responses: { 200: {} } }), `${place} 200 header ETag: is gone`],
    ["a success that is gone", openApi({ responses: {} }), `${place} 200: is gone`],
    ["other credentials", openApi({ security: [] }), `${place}: security undefined -> []`],
    [
      "a longer least length",
      openApi({ request: withProperty("name", { ...name, minLength: 2 }) }),
      `request Request.name: minLength 1 -> 2`,
    ],
    [
      "a pattern",
      openApi({ request: withProperty("name", { ...name, pattern: "^a" }) }),
      `request Request.name: pattern undefined -> "^a"`,
    ],
    [
      "an enum's value that is no longer taken",
      openApi({ request: withProperty("kind", { ...kind, enum: ["a"] }) }),
      `request Request.kind: value "b" is gone`,
    ],
    [
      "a field that is required",
      openApi({ request: { ...thing, required: ["name", "kind"] } }),
      `request Request.kind: is required now`,
    ],
    [
      "a field that is no longer taken",
      openApi({ request: { ...thing, properties: { name, kind } } }),
      `request Request.size: is gone`,
    ],
    [
      "null that is no longer taken",
      openApi({ request: withProperty("size", integer) }),
      `request Request.size: alternatives 2 -> 1`,
    ],
    [
      "fields that are no longer ignored",
      openApi({ request: { ...thing, additionalProperties: false } }),
      `request Request: additionalProperties undefined -> false`,
    ],
    [
      "a response's field that is gone",
      openApi({ response: { ...thing, properties: { name, kind } } }),
      `${place} 200.size: is gone`,
    ],
    [
      "a response's field that may be left out",
      openApi({ response: { ...thing, required: [] } }),
      `${place} 200.name: is optional now`,
    ],
    [
      "another type in a response",
      openApi({ response: withProperty("name", integer) }),
      `${place} 200.name: type string -> integer`,
    ],
    [
      "null in a response",
      openApi({ response: withProperty("name", { ...name, type: ["string", "null"] }) }),
      `${place} 200.name: type string -> string|null`,
    ],
    [
      "a keyword that is not known",
      openApi({ response: { ...thing, not: {} } }),
      `${place} 200: not is another now`,
    ],
  ])("are found: %s", (_what, after, expected) => {
    expect(breakingChanges(openApi(), after)).toContain(expected);
  });

  it.each<[string, object]>([
    ["nothing", openApi()],
    ["an operation", { ...openApi(), paths: { ...openApi().paths, "/new": { get: {} } } }],
    [
      "a refusal that is gone",
      openApi({ responses: { 200: openApi().paths["/things/{id}"]?.post.responses[200] } }),
    ],
    ["several values by commas", openApi(byCommas({ ...integer, maximum: 9 }))],
    ["an optional field of a request", openApi({ request: withProperty("new", name) })],
    ["a field of a response", openApi({ response: withProperty("new", name) })],
    ["an enum's value", openApi({ request: withProperty("kind", { ...kind, enum: ["a", "b", "c"] }) })],
    ["a wider bound", openApi({ request: withProperty("name", { ...name, maxLength: 10 }) })],
    ["null in a request", openApi({ request: withProperty("name", { ...name, type: ["string", "null"] }) })],
    ["another description", openApi({ request: withProperty("name", { ...name, description: "new" }) })],
    [
      "null in another style",
      openApi({
        request: withProperty("size", { type: ["integer", "null"] }),
        response: withProperty("size", { type: ["integer", "null"] }),
      }),
    ],
    ["a name for an alternative", openApi({ request: withProperty("size", { ...size, discriminator: {} }) })],
    ["a narrower response", openApi({ response: withProperty("size", integer) })],
  ])("are not: %s", (_what, after) => {
    expect(breakingChanges(openApi(), after)).toEqual([]);
  });
});

describe("breaking changes of an AsyncAPI document", () => {
  function asyncApi(payload: object, action = "send", operation = "sendThing") {
    const $ref = "#/channels/all/messages/thing";
    return {
      channels: { all: { address: "/", messages: { thing: { $ref: "#/components/messages/thing" } } } },
      operations: { [operation]: { action, messages: [{ $ref }] } },
      components: { messages: { thing: { payload } } },
    };
  }

  it("are found in what the service sends and in what it receives, each in its own direction", () => {
    const without = { ...thing, properties: { name, kind } };
    const demanding = { ...thing, required: ["name", "kind"] };
    expect(breakingChanges(asyncApi(thing), asyncApi(without))).toEqual(["sendThing thing.size: is gone"]);
    expect(breakingChanges(asyncApi(thing), asyncApi(demanding))).toEqual([]);
    expect(breakingChanges(asyncApi(thing, "receive"), asyncApi(demanding, "receive"))).toEqual([
      "sendThing thing.kind: is required now",
    ]);
  });

  it("are found in a message or an address that is gone", () => {
    expect(breakingChanges(asyncApi(thing), asyncApi(thing, "send", "other"))).toEqual([
      "sendThing thing: is gone",
    ]);
    const elsewhere = {
      ...asyncApi(thing),
      channels: { all: { ...asyncApi(thing).channels.all, address: "/v2" } },
    };
    expect(breakingChanges(asyncApi(thing), elsewhere)).toEqual(['channel all: address "/" -> "/v2"']);
  });
});
