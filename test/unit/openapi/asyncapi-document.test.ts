import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { asyncApiDocument } from "../../../infra/asyncapi/asyncapi-document.ts";
import { eventMessages } from "../../../infra/asyncapi/event-messages.ts";
import { liveMessages } from "../../../infra/asyncapi/live-messages.ts";
import { tunnelMessages } from "../../../infra/asyncapi/tunnel-messages.ts";
import { propertiesOf, type Schema } from "../../../infra/openapi/schema-tree.ts";
import { LiveMessage, ViewerMessage } from "../../../shared/contract/live.ts";
import { DriverMessage, ServiceMessage } from "../../../shared/contract/tunnel.ts";
import { parseDriverFrame, parseFrame, parseServiceFrame } from "../../../shared/contract/tunnel-frames.ts";
import { runEndEventTypes, webhookEventTypes } from "../../../shared/vocabulary/events.ts";
import { addFormats } from "../../support/openapi/ajv-formats.ts";
import { isSentence } from "../../support/openapi/is-sentence.ts";

const specifications = createRequire(import.meta.url)("@asyncapi/specs") as {
  readonly schemasWithoutId: Readonly<Record<string, object>>;
};
const document = asyncApiDocument();

function at(reference: string): unknown {
  const path = reference.replace(/^#\//, "").split("/");
  return path.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    document,
  );
}

function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [inner] : referencesIn(inner),
  );
}

function fieldsOf(place: string, schema: Schema): readonly (readonly [string, unknown])[] {
  return propertiesOf(schema).flatMap(([name, property]) => [
    [`${place}.${name}`, property.description] as const,
    ...fieldsOf(`${place}.${name}`, property),
  ]);
}

describe("the AsyncAPI document", () => {
  it("is what AsyncAPI's own schema of version 3.0.0 takes", () => {
    const schema = specifications.schemasWithoutId["3.0.0"];
    if (schema === undefined) throw new Error("@asyncapi/specs has no schema of 3.0.0");
    const ajv = addFormats(new Ajv({ strict: false, validateFormats: true, allErrors: true }));
    const validate = ajv.compile(schema);
    validate(document);
    expect(validate.errors).toBeNull();
  });

  it("resolves each of its references", () => {
    const references = referencesIn(document);
    expect(references.length).toBeGreaterThan(20);
    expect(references.filter((reference) => at(reference) === undefined)).toEqual([]);
  });

  it("says of each field of a message in a sentence what it is", () => {
    const { messages } = document.components as { messages: Record<string, { payload: Schema }> };
    const said = Object.entries(messages).flatMap(([name, { payload }]) => fieldsOf(name, payload));
    expect(said.length).toBeGreaterThan(100);
    expect(said.filter(([, text]) => !isSentence(text))).toEqual([]);
  });

  it("has every message that either side may send", () => {
    const typesOf = (union: typeof DriverMessage | typeof ServiceMessage) =>
      union.options.map((option) => option.shape.type.value);
    const from = (side: "driver" | "service") =>
      tunnelMessages
        .filter((message) => message.from === side || message.from === "either")
        .map(({ name }) => name);
    expect(from("driver").sort()).toEqual(typesOf(DriverMessage).sort());
    expect(from("service").sort()).toEqual(typesOf(ServiceMessage).sort());
  });

  it.each(tunnelMessages.map((message) => [message.name, message] as const))(
    "shows a %s that its receiver takes, also with a field that it does not know",
    (name, { from, example }) => {
      const parse = from === "service" ? parseServiceFrame : parseDriverFrame;
      expect(parse(JSON.stringify(example))).toMatchObject({ kind: "message", message: { type: name } });
      const payload = at(`#/components/messages/${name}/payload`) as object;
      const validate = addFormats(new Ajv({ strict: false })).compile(payload);
      expect(validate({ ...example, unknown_field: 1 })).toBe(true);
      expect(validate({ ...example, type: "greeting" })).toBe(false);
    },
  );

  it("has every message of the live channel that either side may send", () => {
    const typesOf = (union: typeof ViewerMessage | typeof LiveMessage) =>
      union.options.map((option) => option.shape.type.value);
    const from = (side: "viewer" | "service") =>
      liveMessages.filter((message) => message.from === side).map(({ example }) => example.type);
    expect(from("viewer").sort()).toEqual(typesOf(ViewerMessage).sort());
    expect(from("service").sort()).toEqual(typesOf(LiveMessage).sort());
  });

  it.each(liveMessages.map((message) => [message.name, message] as const))(
    "shows a %s of the live channel that its receiver takes, also with a field that it does not know",
    (name, { from, example }) => {
      const schema = from === "service" ? LiveMessage : ViewerMessage;
      expect(parseFrame<unknown>(schema, JSON.stringify(example))).toMatchObject({
        kind: "message",
        message: example,
      });
      const payload = at(`#/components/messages/${name}/payload`) as object;
      const validate = addFormats(new Ajv({ strict: false })).compile(payload);
      expect(validate({ ...example, unknown_field: 1 })).toBe(true);
      expect(validate({ ...example, type: "greeting" })).toBe(false);
    },
  );

  it("has every type of event, each with an example of its detail", () => {
    const names = eventMessages.map(({ name }) => name);
    expect([...names].sort()).toEqual(
      [...webhookEventTypes.filter((type) => type !== "run.complete"), ...runEndEventTypes].sort(),
    );
    for (const { name, example, schema } of eventMessages) {
      expect(schema.parse(example)).toEqual(example);
      const payload = at(`#/components/messages/${name}/payload`) as object;
      const validate = addFormats(new Ajv({ strict: false })).compile(payload);
      expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
      expect(validate({ ...example, unknown_field: 1 })).toBe(true);
      const wrong =
        "status" in example ? { status: "asleep" } : { machine_id: "no id", schedule_id: "no id" };
      expect(validate({ ...example, ...wrong })).toBe(false);
    }
  });
});
